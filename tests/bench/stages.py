"""From a Python function to steps on a device, each stage timed: natively or, sent as text, in a tab."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any
from unittest.mock import patch

from bench.peers import scellis_side
from scellis.device.gpu import GpuDevice
from scellis.kernels import plan

PARTS = {
    "differentiate": (scellis_side, "gradient"),
    "fold": (plan, "fold"),
    "prune": (plan, "prune"),
    "expand": (plan, "expand"),
    "fuse": (plan, "fuse"),
    "merge": (plan, "merge"),
    "carry": (plan, "written_over"),
    "WGSL": (plan, "lower_group"),
}
"""Functions as they are called within tracing and planning, by their modules."""


class Stopwatch:
    """Milliseconds by name: of calls added up, of what is awaited from first beginning to last end."""

    def __init__(self) -> None:
        self.ms: dict[str, float] = {}
        self._began: dict[str, float] = {}

    @contextmanager
    def __call__(self, name: str) -> Iterator[None]:
        began = time.perf_counter()
        try:
            yield
        finally:
            self.ms[name] = self.ms.get(name, 0.0) + 1e3 * (time.perf_counter() - began)

    def timed(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """The function, with its time under a name."""

        def called(*args: Any, **named: Any) -> Any:
            with self(name):
                return function(*args, **named)

        return called

    def awaited(self, name: str, function: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
        """The same of a coroutine function, of which several may run at a time."""

        async def called(*args: Any, **named: Any) -> Any:
            began = self._began.setdefault(name, time.perf_counter())
            try:
                return await function(*args, **named)
            finally:
                self.ms[name] = 1e3 * (time.perf_counter() - began)

        return called


class Stages:
    """The training of a transformer that `request` describes, on a device."""

    def __init__(self, device: GpuDevice, request: dict[str, Any]) -> None:
        self._device = device
        self._request = {name: value for name, value in request.items() if name != "kind"}
        self._training: scellis_side.Trained

    async def compile(self) -> dict[str, float]:
        """Milliseconds of each stage up to the end of a first step."""
        watch, gpu = Stopwatch(), self._device.gpu
        with ExitStack() as patched:
            for name, (module, function) in PARTS.items():
                timed = watch.timed(name, getattr(module, function))
                patched.enter_context(patch.object(module, function, timed))
            if self._device.plans is not None:
                looked_up = watch.awaited("plan, found or made and kept", self._device.plans.plan)
                patched.enter_context(patch.object(self._device.plans, "plan", looked_up))
            for verb in ("pipeline", "buffer", "tape"):
                awaited = watch.awaited(f"{verb}s", getattr(gpu, verb))
                patched.enter_context(patch.object(gpu, verb, awaited))
            with watch("trace and differentiate"):
                self._training = scellis_side.transformer(**self._request)
            with watch("compile"):
                await self._training.open(self._device, "prod")
        with watch("first step"):
            await self._training.step()
        return watch.ms

    async def steps(self, count: int) -> dict[str, float]:
        """Milliseconds, crossings and dispatches of a step, all told: an answer is waited for."""
        before = self._device.gpu.stats()
        began = time.perf_counter()
        for _ in range(count):
            await self._training.step()
        found = {"ms": 1e3 * (time.perf_counter() - began) / count}
        after = self._device.gpu.stats()
        return found | {
            name: (after[name] - before[name]) / count for name in ("crossings", "submits", "dispatches")
        }

    def close(self) -> None:
        """Give back what is held on the device."""
        self._training.close()

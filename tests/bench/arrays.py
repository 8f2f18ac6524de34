"""The bench of graphs of arrays on a device: products, rows, an optimizer, a training step.

On this machine's driver, through wgpu-py:   python tests/bench/arrays.py [OPTIONS AS JSON]
In Node, as in a tab (Pyodide and Dawn):      node tests/bench/node/bench.mjs RUNTIME OPTIONS arrays

What a replay costs besides its kernels is measured in the same run and subtracted, except from the training
step. tests/bench/arrays_torch.py has the same cases in PyTorch.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import attrs
import numpy as np

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from bench.peers.cases import all_cases
from bench.peers.scellis_side import transformer
from scellis.device.gpu import GpuDevice
from scellis.graph import ArrayType, Value, nn, trace
from scellis.graph import functions as xp
from scellis.graph.autodiff import gradient
from scellis.kernels.folds import FEATURES, has_subgroups
from support import mlp
from support.arrays import NAMES, Array, halved, traced


@attrs.frozen
class Options:
    """What to run: sizes of products, rows and their length, parameters, copies of a case in one submit.

    `sequences`: lengths for attention of 16 heads of 64 features, forwards, and with its derivatives.
    `half`: products and rows in f16 besides. `fast`: rows in the tier fast besides, by subgroups where the
    adapter has them, and without.
    """

    products: tuple[int, ...] = (512,)
    sequences: tuple[int, ...] = (128,)
    rows: int = 512
    length: int = 1024
    parameters: int = 1_000_000
    copies: int = 2
    rounds: int = 5
    steps: int = 20
    half: bool = False
    fast: bool = False


WARM_UP_S = 1.0
"""How long it computes before what counts: a card that waited for its inputs has slowed its clock down."""


def median_ms(times: list[float]) -> float:
    """The median in milliseconds."""
    return round(1e3 * float(np.median(times)), 4)


Case = Callable[..., list[Value]]


class Timer:
    """Times computations whose inputs are on the device and whose results stay there."""

    def __init__(self, device: GpuDevice, clock: Callable[[], float], options: Options) -> None:
        self._device = device
        self._clock = clock
        self._options = options
        self._empty_ms = 0.0

    async def calibrate(self) -> float:
        """What a replay of next to nothing takes, in ms."""
        one = [np.zeros(1, np.float32)]
        found = [await self._replay(lambda x: [x + 1.0], one, {0: 0}, 1) for _ in range(10)]
        self._empty_ms = median_ms([ms / 1e3 for ms, _ in found])
        return self._empty_ms

    async def ms(
        self, case: Case, arrays: list[Array], carry: Mapping[int, int], tier: str = "prod"
    ) -> tuple[float, int]:
        """Time of one of several copies in a submit, less the replay's own; kernels of each.

        `carry` says which results become which inputs.
        """
        copies = self._options.copies
        ms, kernels = await self._replay(case, arrays, carry, copies, tier)
        return round((ms - self._empty_ms) / copies, 4), kernels // copies

    async def _replay(
        self, case: Case, arrays: list[Array], carry: Mapping[int, int], copies: int, tier: str = "prod"
    ) -> tuple[float, int]:
        width = len(arrays)

        def several(**inputs: Value) -> list[Value]:
            values = list(inputs.values())
            return [y for copy in range(copies) for y in case(*values[copy * width : (copy + 1) * width])]

        types = [ArrayType(array.shape, NAMES[array.dtype]) for array in arrays] * copies
        graph = trace(several, **{f"x{place}": given for place, given in enumerate(types)})
        results = len(graph.outputs) // copies
        carried = {
            copy * results + made: copy * width + given
            for copy in range(copies)
            for made, given in carry.items()
        }
        compiled = await self._device.compile(graph, tier, carried)
        await compiled.compute(arrays * copies)
        stay: list[Array | None] = [None] * width * copies
        start = self._clock()
        while self._clock() - start < WARM_UP_S:  # the uploads are given back meanwhile
            await compiled.compute(stay)
        times = []
        for _ in range(self._options.rounds):
            start = self._clock()
            await compiled.compute(stay)
            times.append(self._clock() - start)
        kernels = len(compiled.plan.steps)
        compiled.close()
        return median_ms(times), kernels


def _adamw(p: Value, g: Value, m: Value, v: Value) -> list[Value]:
    """I. Loshchilov, F. Hutter, "Decoupled weight decay regularization", 2019, without bias correction."""
    first, second = 0.9 * m + 0.1 * g, 0.999 * v + 0.001 * g * g
    return [p * (1.0 - 1e-5) - 1e-3 * first / (xp.sqrt(second) + 1e-8), first, second]


HEADS = 16


def _attention(causal: bool, q: Value, k: Value, v: Value) -> list[Value]:
    return [nn.scaled_dot_product_attention(q, k, v, is_causal=causal)]


def _attention_step(causal: bool, q: Value, k: Value, v: Value) -> list[Value]:
    loss = xp.sum(_attention(causal, q, k, v)[0] * 1e-3)
    slopes = gradient(loss, [q, k, v])
    return [x + slope for x, slope in zip((q, k, v), slopes, strict=True)]


async def _check_product(device: GpuDevice, arrays: list[Array]) -> None:
    """A product's first rows against f64, summed up in f32."""
    a, b = arrays
    graph = traced(lambda a, b: (a.astype("f32") @ b.astype("f32"))[:2], a, b)
    compiled = await device.compile(graph, "prod")
    (found,) = await compiled.compute(arrays)
    compiled.close()
    expected = a[:2].astype(np.float64) @ b
    assert np.allclose(np.asarray(found), expected, rtol=1e-4, atol=1e-3)


async def _check_halves(device: GpuDevice, rng: np.random.Generator) -> list[str]:
    """Products of f16, each way that factors lie, against f64. Gives the kernels that computed them."""
    a, b = halved([rng.normal(size=size).astype(np.float32) for size in ((3, 200, 72), (72, 264))])
    cases: dict[str, tuple[Callable[[Value, Value], Value], list[Array]]] = {
        "plain": (lambda a, b: a.astype("f32") @ b.astype("f32"), [a, b]),
        "turned": (
            lambda a, b: (xp.matrix_transpose(a) @ xp.matrix_transpose(b)).astype("f32"),
            [np.ascontiguousarray(a.swapaxes(1, 2)), np.ascontiguousarray(b.T)],
        ),
    }
    kernels = []
    for name, (function, arrays) in cases.items():
        graph = traced(lambda a, b, function=function: [function(a, b)], *arrays)
        compiled = await device.compile(graph, "prod")
        kernels += [step.kernel.template for step in compiled.plan.steps]
        (found,) = await compiled.compute(arrays)
        compiled.close()
        expected = a.astype(np.float64) @ b
        assert np.allclose(np.asarray(found), expected, rtol=2e-3, atol=2e-2), name
    return kernels


async def bench(
    device: GpuDevice, clock: Callable[[], float], options: Options, say: Callable[[str], None]
) -> None:
    """Run everything and say each finding."""
    say(f"adapter: {device.fingerprint['adapter']} ({device.fingerprint['class']}, {device.kind})")
    rng = np.random.default_rng(1)
    timer = Timer(device, clock, options)

    def tell(name: str, **found: Any) -> None:
        say(json.dumps({"case": name, **found}))

    tell("a replay of one element", ms=await timer.calibrate())
    if options.half:
        tell("products of f16 by", kernels=await _check_halves(device, rng))
    for n in options.products:
        factors: list[Array] = [rng.normal(size=(n, n)).astype(np.float32) for _ in range(2)]
        await _check_product(device, factors)
        ms, _ = await timer.ms(lambda a, b, c: [a @ b], [*factors, factors[0]], {0: 2})
        tell(f"product of {n}", ms=ms, tflops=round(2e-9 * n**3 / ms, 2))
        if options.half:
            halves = halved(factors)
            await _check_product(device, halves)
            ms, _ = await timer.ms(lambda a, b, c: [a @ b], [*halves, halves[0]], {0: 2})
            tell(f"product of {n} in f16", ms=ms, tflops=round(2e-9 * n**3 / ms, 2))
            ms, _ = await timer.ms(
                lambda a, b, c: [a.astype("f32") @ b.astype("f32")], [*halves, factors[0]], {0: 2}
            )
            tell(f"product of {n} of f16, f32 given", ms=ms, tflops=round(2e-9 * n**3 / ms, 2))

    for length in options.sequences:
        operands: list[Array] = [rng.normal(size=(1, HEADS, length, 64)).astype(np.float32) for _ in range(3)]
        for causal in (False, True):
            for name, case, products in (
                ("attention", partial(_attention, causal), 2),
                ("attention and derivatives", partial(_attention_step, causal), 7),
            ):
                ms, kernels = await timer.ms(case, operands, dict(enumerate(range(3 if products > 2 else 1))))
                flops = products * 2 * HEADS * length**2 * 64 / (2 if causal else 1)
                what = f"{name} of {length}{', causal' if causal else ''}"
                tell(what, ms=ms, kernels=kernels, tflops=round(1e-9 * flops / ms, 2))

    shape = (options.rows, options.length)
    x = rng.normal(size=shape).astype(np.float32)
    cases: dict[str, Case] = {
        "copy": lambda x: [x * 1.0001],
        "softmax": lambda x: [xp.softmax(x)],
        "layer norm": lambda x: [nn.layer_norm(x)],
    }
    for name, case in cases.items():
        for given in (x, *halved([x] if options.half else [])):
            ms, kernels = await timer.ms(case, [given], {0: 0})
            what = f"{name} of {shape}" + (" in f16" if given is not x else "")
            tell(what, ms=ms, kernels=kernels, gb_s=round(2e-6 * given.nbytes / ms, 1))
    if options.fast:
        await _fold(timer, device, cases | {"sum": lambda x: [x + xp.sum(x, 1, keepdims=True)]}, x, tell)
    del x

    p = rng.standard_normal(options.parameters, np.float32)
    positive = np.abs(p)
    ms, kernels = await timer.ms(_adamw, [p, p, positive, positive], {0: 0, 1: 2, 2: 3})
    tell(f"AdamW of {p.size}", ms=ms, kernels=kernels, gb_s=round(28e-6 * p.size / ms, 1))
    del p, positive
    await _train(device, clock, options.steps, tell)
    await _transform(device, clock, options.steps, tell)


async def _fold(
    timer: Timer, device: GpuDevice, cases: Mapping[str, Case], x: Array, tell: Callable[..., None]
) -> None:
    """Rows in the tier fast, with subgroups and without: by turns, so that both meet the same clock."""
    granted = device.features
    for turn in range(2):
        for name, case in cases.items():
            for left_out in ((), FEATURES):
                device.features = [feature for feature in granted if feature not in left_out]
                ms, kernels = await timer.ms(case, [x], {0: 0}, "fast")
                used = has_subgroups(device.features, device.fingerprint["class"])
                by = "subgroups" if used else "shared memory"
                tell(f"{name} of {x.shape}, fast", by=by, turn=turn, ms=ms, kernels=kernels)
    device.features = granted


async def _train(
    device: GpuDevice, clock: Callable[[], float], steps: int, tell: Callable[..., None]
) -> None:
    size = (128, 784, 256, 10)
    x, y, *state = mlp.start(*size)
    start = clock()
    graph = mlp.step(*size)
    traced_s = clock() - start
    compiled = await device.compile(graph, "prod", mlp.CARRY)
    compile_s = clock() - start
    times, losses = [], []
    given: list[Array | None] = [x, y]
    rest: list[Array | None] = list(state)
    for t in range(1, steps + 1):
        start = clock()
        loss, *_ = await compiled.compute([*given, *mlp.corrections(t), *rest])
        times.append(clock() - start)
        losses.append(float(np.asarray(loss)))
        given, rest = [None, None], [None] * 12
    kernels = len(compiled.plan.steps)
    compiled.close()
    tell(
        "MLP 784-256-10, batch 128, Adam: a step",
        ms=median_ms(times[1:]),
        kernels=kernels,
        trace_s=round(traced_s, 3),
        compile_s=round(compile_s, 3),
        losses=[round(value, 6) for value in losses[:3]],
    )


async def _transform(
    device: GpuDevice, clock: Callable[[], float], steps: int, tell: Callable[..., None]
) -> None:
    """The transformer step of the bench beside peers."""
    case = next(case for case in all_cases() if case.request["kind"] == "transformer")
    start = clock()
    trained = transformer(**{name: value for name, value in case.request.items() if name != "kind"})
    traced_s = clock() - start
    await trained.open(device, "prod")
    compile_s = clock() - start - traced_s
    await trained.start(0)
    times = []
    for _ in range(steps):
        start = clock()
        await trained.step()
        times.append(clock() - start)
    losses = trained.found(None)
    trained.close()
    tell(
        case.name,
        ms=median_ms(times[1:]),
        trace_s=round(traced_s, 3),
        compile_s=round(compile_s, 3),
        losses=[round(value, 6) for value in losses[:3]],
    )


async def main(options: Options) -> None:
    """On this machine's own driver."""
    from scellis.device.native import open_native

    device = await open_native(plans=False)
    try:
        await bench(device, time.perf_counter, options, print)
    finally:
        await device.close()


if __name__ == "__main__":
    asyncio.run(main(Options(**json.loads(sys.argv[1] if len(sys.argv) > 1 else "{}"))))

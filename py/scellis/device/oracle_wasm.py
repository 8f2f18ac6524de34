"""`--device oracle-wasm`: the oracle's WebAssembly build in Node, as a device of a native process."""

from __future__ import annotations

import asyncio
import json
import shutil
from asyncio.subprocess import PIPE, Process
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from scellis.device.carried import OracleGraph
from scellis.device.oracle_remote import (
    ANSWER_LIMIT_BYTES,
    accumulators,
    arrays,
    compute_line,
    philox_line,
    request_line,
)
from scellis.device.protocol import Accumulators, Words
from scellis.errors import ScellisError
from scellis.graph import Graph
from scellis.graph.op import Array
from scellis.graph.trap import watch
from scellis.kernels.spec import SampleSpec

SCRIPT = Path(__file__).with_name("oracle_wasm.mjs")


class OracleWasmDevice:
    """The oracle in a Node process that this device owns. Use `open_oracle_wasm`."""

    kind = "oracle"

    def __init__(self, process: Process, fingerprint: dict[str, Any]) -> None:
        self._process = process
        self._turn = asyncio.Lock()
        self._unread = 0  # answers under way
        self.fingerprint = fingerprint

    async def prepare(self, graph: Graph, spec: SampleSpec, tier: str) -> OracleWasmSampler:
        """A sampler of one program."""
        return OracleWasmSampler(self, graph, spec)

    async def plan(
        self, graph: Graph, tier: str, carry: Mapping[int, int] | None = None, trap: str = ""
    ) -> None:
        """The oracle has no buffers: NumPy takes memory as it computes."""

    async def compile(
        self, graph: Graph, tier: str, carry: Mapping[int, int] | None = None, trap: str = ""
    ) -> OracleGraph:
        """A graph of arrays."""
        trapped = watch(graph, trap)

        async def computed(inputs: list[Array]) -> list[Array]:
            return trapped.checked(arrays(await self.ask(compute_line(trapped.graph, inputs))))

        return OracleGraph(graph, carry, computed)

    async def philox(self, counter: Words, key: tuple[int, int]) -> Words:
        """One Philox block, by the reference implementation in WebAssembly."""
        first, second, third, fourth = json.loads(await self.ask(philox_line(counter, key)))
        return first, second, third, fourth

    async def ask(self, request: str) -> bytes:
        """One request line and its answer. Raises `SCL-ORACLE-LOST` when the process has ended."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        async with self._turn:
            try:
                while self._unread:  # of requests whose caller was cancelled: answers come in order
                    await self._process.stdout.readline()
                    self._unread -= 1
                self._unread += 1
                self._process.stdin.write(request.encode() + b"\n")
                await self._process.stdin.drain()
                line = await self._process.stdout.readline()
                self._unread -= 1
            except ConnectionError:
                line = b""
        if not line:
            raise ScellisError(
                "SCL-ORACLE-LOST", "The oracle's Node process has ended.", "Run the command again."
            )
        return line

    async def close(self) -> None:
        """End the process."""
        if self._process.returncode is None:
            self._process.terminate()
        await self._process.wait()


class OracleWasmSampler:
    """Shards of one program, computed in Node."""

    batch_shards = 1

    def __init__(self, device: OracleWasmDevice, graph: Graph, spec: SampleSpec) -> None:
        self._device = device
        self._graph = graph
        self._spec = spec

    async def run(self, first: int, count: int) -> Accumulators:
        """The accumulators of shards `first … first + count − 1`."""
        line = await self._device.ask(request_line(self._graph, self._spec, first, count))
        return accumulators(line, first)

    def close(self) -> None:
        """Nothing is held."""


async def open_oracle_wasm(runtime: Path) -> OracleWasmDevice:
    """Start Node on the `runtime/` folder of a built site; about two seconds.

    Raises `SCL-ORACLE-NODE` without Node, `SCL-ORACLE-RUNTIME` without the files.
    """
    node = shutil.which("node")
    if node is None:
        raise ScellisError("SCL-ORACLE-NODE", "There is no 'node' on the path.", "Install Node 20 or newer.")
    if not (runtime / "lock.json").is_file():
        raise ScellisError(
            "SCL-ORACLE-RUNTIME",
            f"There is no built runtime in {runtime}.",
            "Run scripts/build, or pass --site.",
        )
    process = await asyncio.create_subprocess_exec(
        node, str(SCRIPT), str(runtime), stdin=PIPE, stdout=PIPE, limit=ANSWER_LIMIT_BYTES
    )
    assert process.stdout is not None
    line = await process.stdout.readline()
    if not line:
        await process.wait()
        raise ScellisError(
            "SCL-ORACLE-RUNTIME", f"The runtime in {runtime} did not start.", "Run scripts/build again."
        )
    return OracleWasmDevice(process, json.loads(line))

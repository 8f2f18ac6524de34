"""The oracle: NumPy in f64, the truth that GPUs are held to and the path taken where there is none.

Inside one WebAssembly build of interpreter and NumPy its results are the same bits on every machine, which
makes it the referee. Natively it agrees with that within a job's tolerance class, not in bits.
"""

from __future__ import annotations

import platform
import sys
from collections.abc import Mapping
from typing import Any

import numpy as np

from scellis import ENGINE_VERSION
from scellis.device.carried import OracleGraph
from scellis.device.protocol import Accumulators, Words
from scellis.graph import Graph, chunks, compute, evaluate
from scellis.graph.op import F64, Array
from scellis.graph.trap import watch
from scellis.kernels.spec import SampleSpec
from scellis.rng import draw_words, key_words, philox4x32, uniform_from_words
from scellis.rng.streams import stream_of

CHUNK_DRAWS = 16_384
"""Draws evaluated at a time: some twenty arrays of this size stay in a second-level cache (measured best)."""


class OracleDevice:
    """The NumPy device."""

    kind = "oracle"

    def __init__(self) -> None:
        self.fingerprint: dict[str, Any] = {
            "kind": "oracle-wasm" if sys.platform == "emscripten" else "oracle",
            "engine": ENGINE_VERSION,
            "numpy": np.__version__,
            "python": platform.python_version(),
            "machine": platform.machine(),
        }

    async def prepare(self, graph: Graph, spec: SampleSpec, tier: str) -> OracleSampler:
        """A sampler of one program. The oracle is the same in every tier."""
        return OracleSampler(graph, spec)

    async def plan(
        self, graph: Graph, tier: str, carry: Mapping[int, int] | None = None, trap: str = ""
    ) -> None:
        """The oracle has no buffers: NumPy takes memory as it computes."""

    async def compile(
        self, graph: Graph, tier: str, carry: Mapping[int, int] | None = None, trap: str = ""
    ) -> OracleGraph:
        """A graph of arrays. The oracle is the same in every tier."""
        trapped = watch(graph, trap)

        async def computed(inputs: list[Array]) -> list[Array]:
            return trapped.checked(compute(trapped.graph, inputs))

        return OracleGraph(graph, carry, computed)

    async def philox(self, counter: Words, key: tuple[int, int]) -> Words:
        """One Philox block, by the reference implementation."""
        first, second, third, fourth = (int(word) for word in philox4x32(counter, key))
        return first, second, third, fourth

    async def close(self) -> None:
        """Nothing is held."""


class OracleSampler:
    """Draws, evaluates and accumulates shards of one program."""

    batch_shards = 1

    def __init__(self, graph: Graph, spec: SampleSpec) -> None:
        self._graph = graph
        self._spec = spec
        self._key = key_words(spec.seed)

    async def run(self, first: int, count: int) -> Accumulators:
        """The accumulators of shards `first … first + count − 1`."""
        shards = [self._shard(shard) for shard in range(first, first + count)]
        counts = np.array([row[0] for row in shards], np.int64).reshape(count, 4)
        moments = np.array([row[1] for row in shards], np.float64).reshape(count, 2)
        bins = np.array([row[2] for row in shards], np.int64).reshape(count, self._spec.bins)
        return Accumulators(
            first=first,
            count=counts[:, 0],
            mean=moments[:, 0],
            m2=moments[:, 1],
            bins=bins,
            underflow=counts[:, 1],
            overflow=counts[:, 2],
            nonfinite=counts[:, 3],
        )

    def _outputs(self, shard: int) -> F64:
        stream = stream_of(self._spec.family, shard)
        values = np.empty(self._spec.draws_per_shard)
        for start, size in chunks(self._graph, values.size, CHUNK_DRAWS):
            words = draw_words(stream, self._key, start, size, self._graph.words)
            values[start : start + size] = evaluate(self._graph, [uniform_from_words(word) for word in words])
        return values

    def _shard(
        self, shard: int
    ) -> tuple[tuple[int, int, int, int], tuple[float, float], np.ndarray[Any, Any]]:
        spec = self._spec
        values = self._outputs(shard)
        finite = values[np.isfinite(values)]
        mean = float(finite.mean()) if finite.size else 0.0
        m2 = float(np.sum((finite - mean) ** 2))
        # Two extra bins, one on either side, hold what lies outside [low, high).
        place = np.floor((finite - spec.low) * (spec.bins / (spec.high - spec.low)))
        counts = np.bincount((np.clip(place, -1, spec.bins) + 1).astype(np.int64), minlength=spec.bins + 2)
        return (
            (finite.size, int(counts[0]), int(counts[-1]), values.size - finite.size),
            (mean, m2),
            counts[1:-1],
        )

    def close(self) -> None:
        """Nothing is held."""

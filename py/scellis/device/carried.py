"""A graph of arrays on the oracle, which computes it at once: what is carried is kept between two calls."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence

import numpy as np

from scellis.graph import Graph
from scellis.graph.evaluate import check_inputs
from scellis.graph.movement import NUMPY_TYPES
from scellis.graph.op import Array
from scellis.kernels.carry import check_carry


class OracleGraph:
    """`computed` gives the outputs for all inputs, here or in another process."""

    def __init__(
        self,
        graph: Graph,
        carry: Mapping[int, int] | None,
        computed: Callable[[list[Array]], Awaitable[list[Array]]],
    ) -> None:
        self._graph = graph
        self._carry = dict(carry or {})
        check_carry(graph, self._carry)
        self._computed = computed
        self._held: list[Array | None] = [None] * len(graph.inputs)

    async def compute(self, inputs: Sequence[Array | None]) -> list[Array | None]:
        """See `Compiled.compute`. Floats are f64, and so is what is carried."""
        check_inputs(self._graph, inputs, [array is not None for array in self._held])
        for number, array in enumerate(inputs):
            if array is not None:
                self._held[number] = np.array(array)
        outputs: list[Array | None] = list(await self._computed([a for a in self._held if a is not None]))
        for output, given in self._carry.items():
            self._held[given], outputs[output] = outputs[output], None
        return outputs

    async def read(self, number: int) -> Array:
        """See `Compiled.read`."""
        array = self._held[number]
        wanted = self._graph.types[self._graph.inputs[number]]
        return np.zeros(wanted.shape, NUMPY_TYPES[wanted.dtype]) if array is None else array.copy()

    def close(self) -> None:
        """Nothing is held."""

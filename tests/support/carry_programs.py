"""Programs that carry arrays about: any output to any input, as it is, held back, changed, or twice."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import attrs
import numpy as np
from hypothesis import strategies as st

from scellis.graph import Graph, Value
from scellis.graph import functions as xp
from support.arrays import Array, traced

SHAPES = ((3, 4), (64, 64))
"""A map of few elements, and one of four elements a thread."""

MADE: Mapping[str, Callable[[Value, Value], Value]] = {
    "itself": lambda x, y: x,
    "stopped": lambda x, y: xp.stop_gradient(x),
    "stopped twice": lambda x, y: xp.stop_gradient(xp.stop_gradient(x)),
    "more": lambda x, y: x + 1.0,
    "as much more": lambda x, y: x + xp.ones_like(x) * 1.0,
    "both": lambda x, y: x + 2.0 * y,
    "turned": lambda x, y: xp.flip(x, 0) - y,
    "rows": lambda x, y: x - xp.max(y, -1, keepdims=True),
    "nothing": lambda x, y: xp.zeros_like(x),
}
"""What an output is made of two inputs. `as much more` is `more` once it is folded."""


@attrs.frozen
class CarryProgram:
    """Outputs by what makes each of which inputs, and which of them become which inputs."""

    shape: tuple[int, ...]
    inputs: int
    outputs: tuple[tuple[str, int, int], ...]
    carry: Mapping[int, int]

    @property
    def graph(self) -> Graph:
        """The program, traced."""
        return traced(
            lambda *given: [MADE[name](given[first], given[second]) for name, first, second in self.outputs],
            *self.arrays,
        )

    @property
    def arrays(self) -> list[Array]:
        """Its inputs: whole numbers, so that all sums are exact."""
        size = int(np.prod(self.shape))
        return [
            (np.arange(size).reshape(self.shape) % 37 + 100 * number).astype(np.float32)
            for number in range(self.inputs)
        ]


@st.composite
def carry_programs(draw: st.DrawFn, shapes: Sequence[tuple[int, ...]] = SHAPES) -> CarryProgram:
    """Any of them with up to four inputs and five outputs."""
    inputs = draw(st.integers(1, 4))
    number = st.integers(0, inputs - 1)
    outputs = draw(st.lists(st.tuples(st.sampled_from(sorted(MADE)), number, number), min_size=1, max_size=5))
    places = draw(st.permutations(range(len(outputs))))
    targets = draw(st.lists(number, unique=True, max_size=len(outputs)))
    return CarryProgram(
        draw(st.sampled_from(shapes)), inputs, tuple(outputs), dict(zip(places, targets, strict=False))
    )

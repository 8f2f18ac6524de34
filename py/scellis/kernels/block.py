"""A thread's block of a matrix product, and how each factor's elements are read for it."""

from __future__ import annotations

import attrs

from scellis.graph.fuse import Group
from scellis.graph.graph import Graph
from scellis.graph.types import F16
from scellis.kernels.assembly import names
from scellis.kernels.elements import LANES
from scellis.kernels.expressions import loaded
from scellis.kernels.views import View

LENGTHS = (16, 8, 4)
"""Rows, and columns, that a block may have."""
STEP = 4
"""Terms that are added at a time, as long as there are so many."""
READ_COST, TERM_COST, SUM_COST = 12, 1.3, 3.2
"""What it takes to read an element, to add a term, to keep a sum: ns on SwiftShader, for four threads."""
SPREAD = 32
"""Threads that compute at a time: fewer blocks cost as much as so many."""
TEXT_COST = 4000
"""What it takes to compile the statement of a term, spread over two hundred runs, in ns."""


@attrs.frozen
class Block:
    """`rows` by `columns` of `batch` products of `m` by `k` by `n`, their terms added `step` at a time."""

    batch: int
    m: int
    k: int
    n: int
    rows: int
    columns: int
    step: int

    @property
    def width(self) -> int:
        """Neighbours in a row that are stored together."""
        return 4 if self.columns % 4 == 0 and self.n % 4 == 0 else 1

    @property
    def constants(self) -> dict[str, int]:
        """What the kernel's text calls these numbers."""
        named = {"M": self.m, "K": self.k, "N": self.n, "ROWS": self.rows, "COLUMNS": self.columns}
        blocks = {"ACROSS": -(-self.n // self.columns), "DOWN": -(-self.m // self.rows)}
        return {**named, **blocks, "STEP": self.step, "WIDTH": self.width}

    def sums(self, left: Factor, right: Factor) -> list[str]:
        """The statements that add the terms from `k` on, each sum's in one order."""
        lines = []
        across = right.names(self.columns)
        for row, down in enumerate(left.names(self.rows)):
            for column, over in enumerate(across):
                terms = [f"{a} * {b}" for a, b in zip(down, over, strict=True)]
                total = f"totals[{row * self.columns + column}]"
                lines.append(f"{total} = {' + '.join([total, *terms])};")
        return lines


def block_of(batch: int, m: int, k: int, n: int) -> Block:
    """The block that costs least."""
    step = min(k, STEP) or 1

    def cost(block: Block) -> float:
        blocks = max(-(-m // block.rows) * -(-n // block.columns) * batch, SPREAD)
        sums = block.rows * block.columns
        term = (block.rows + block.columns) * READ_COST + sums * (TERM_COST + SUM_COST / step)
        return blocks / 4 * k * term + sums * step * TEXT_COST

    lengths = [(rows, columns) for rows in LENGTHS for columns in LENGTHS]
    return min((Block(batch, m, k, n, min(r, m), min(c, n), step) for r, c in lengths), key=cost)


@attrs.frozen
class Factor:
    """The left factor, `a`, or the right, `b`: a view of a stored array, None where each element is computed.

    It is read in fours along the axis `fours`, 0 for none. The result has the axis `across`; `count` elements
    of that, from `start` on, are in the block.
    """

    letter: str
    node: int
    view: View | None
    across: int
    start: str
    count: int
    step: int
    fours: int = 0

    @property
    def along(self) -> int:
        """The axis of the terms."""
        return -3 - self.across

    def in_fours(self, single: set[int]) -> Factor:
        """The same, read in fours if it can be, and its array is not one of those read element by element."""
        if self.view is None or self.view.array in single:
            return self
        counts = {self.across: self.count, self.along: self.step}
        axes = [axis for axis, count in counts.items() if count % 4 == 0 and self.view.in_groups(axis)]
        return attrs.evolve(self, fours=axes[0] if axes else 0)

    def first(self) -> str:
        """The statement that says where the block's part of a view begins."""
        assert self.view is not None
        offset = f"{self.view.offset('batch')} + {self.start} * {self.view.steps[self.across]}u"
        return f"let {self.letter}_first = {offset};"

    def read(self, graph: Graph, group: Group) -> list[str]:
        """The statements that read the block's elements for the terms from `k` on."""
        if self.view is None:
            return [
                f"let {self.letter}{at}_{term} = {self.letter}_at(batch, {self.start} + {at}u, k + {term}u);"
                for at in range(self.count)
                for term in range(self.step)
            ]
        name, kind = names(group)[self.view.array], graph.types[self.view.array].dtype
        across, along = self.view.steps[self.across], self.view.steps[self.along]
        size = 4 if self.fours else 1
        lines = [f"let {self.letter}_place = ({self.letter}_first + k * {along}u) / {size}u;"]
        for at in range(0, self.count, 4 if self.fours == self.across else 1):
            for term in range(0, self.step, 4 if self.fours == self.along else 1):
                text = f"{name}[{self.letter}_place + {(at * across + term * along) // size}u]"
                value = f"vec4<f32>({text})" if size == 4 and kind == F16 else loaded(text, kind)
                lines.append(f"let {self.letter}{at}_{term} = {value};")
        return lines

    def names(self, count: int) -> list[list[str]]:
        """Of the first elements that were read, their terms'."""
        return [[self.name(at, term) for term in range(self.step)] for at in range(count)]

    def name(self, at: int, term: int) -> str:
        """An element that was read."""
        if self.fours == self.across:
            return f"{self.letter}{at - at % 4}_{term}.{LANES[at % 4]}"
        if self.fours == self.along:
            return f"{self.letter}{at}_{term - term % 4}.{LANES[term % 4]}"
        return f"{self.letter}{at}_{term}"

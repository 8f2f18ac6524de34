"""Lowers reductions along rows, and what goes with them, to one kernel: softmax, norms, losses.

A kernel goes through its row once for each reduction and once for what it stores. What lies between is
computed again each time it is needed: that costs less than to store it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

import attrs

from scellis.graph.fuse import REDUCTIONS, Group
from scellis.graph.graph import Graph
from scellis.graph.movement import int_of, shape_of
from scellis.kernels.accumulators import accumulator
from scellis.kernels.assembly import WORKGROUP, ArrayKernel, assembled, folded, names, store
from scellis.kernels.elements import Elements, Place
from scellis.kernels.expressions import WGSL_TYPES, rounded, stored
from scellis.kernels.folds import Fold, builtins, fold_of
from scellis.kernels.hoist import hoisted
from scellis.kernels.quads import by_quads, quad

WIDE = {"gpu": 256, "software": 4}
"""Threads that share a row, by class of adapter: a processor pays more for a barrier than it saves."""
LEAST_WIDE = 32
"""The least threads of a graphics processor that share a row."""
SERIAL_LENGTH = 64
"""Elements of a row that one thread goes through alone, rather than a workgroup."""
SERIAL_ROWS, SERIAL_LIMIT = 256, 2048
"""Rows from which on a processor gives each thread its own, of so many elements at most: no barrier then."""
KEPT_FOURS = 16
"""Fours that a thread keeps in registers for later stages, rather than read or compute them again."""
STAGE_LIMIT = 8
"""The most reductions of a kernel: each takes shared memory."""


@attrs.frozen
class Rows:
    """`rows` of `length` elements."""

    rows: int
    length: int


def rows_of_core(graph: Graph, core: int) -> Rows | None:
    """The rows that a reduction goes along, None for one that does not go along the last axes."""
    node = graph.nodes[core]
    if node.op not in REDUCTIONS:
        return None
    shape = graph.types[node.args[0]].shape
    axes = shape_of(node.params, "axes") if "axes" in node.params else (int_of(node.params, "axis"),)
    if axes != tuple(range(len(shape) - len(axes), len(shape))):
        return None
    length = math.prod(shape[len(shape) - len(axes) :])
    return Rows(graph.types[core].size, length) if length else None


def rows_of(graph: Graph, group: Group) -> Rows | None:
    """The rows that all of a group's reductions go along."""
    found = {rows_of_core(graph, core) for core in group.cores}
    if len(found) != 1 or len(group.cores) > STAGE_LIMIT:
        return None
    (rows,) = found
    if rows is None or any(
        graph.types[root].size not in (rows.rows, rows.rows * rows.length) for root in group.roots
    ):
        return None
    return rows


def lower_rows(
    graph: Graph, group: Group, rows: Rows, tier: str, adapter: str = "software", *, subgroups: bool = False
) -> ArrayKernel:
    """The kernel of a group that goes along rows. Raises `Unbound` where one row needs another's."""
    serial = is_serial(rows, adapter)
    threads = WORKGROUP if serial else _threads(rows.length, adapter)
    writer = _Writer(graph, group, rows, threads, serial, subgroups)
    stages = writer.stages()
    if rows.length % 4 == 0 and not (serial and adapter == "gpu"):
        each = [root for root in group.roots if graph.types[root].size != rows.rows]
        writer.quads = by_quads(graph, writer.read, each)
        if writer.quads and adapter == "gpu" and rows.length % (4 * writer.threads) == 0:
            writer.keep()
        stages = writer.stages()
    return assembled(
        graph,
        group,
        tier,
        "rows_serial.wgsl" if serial else "rows.wgsl",
        folded(-(-rows.rows // writer.threads) if serial else rows.rows),
        {"ROWS": rows.rows, "LENGTH": rows.length, "WORKGROUP": writer.threads},
        {
            "ACCUMULATORS": "\n".join(writer.accumulators()),
            "STAGES": "\n".join(stages),
            "SUBGROUPS": builtins(writer.folds),
        },
        writer.quads,
    )


def is_serial(rows: Rows, adapter: str) -> bool:
    """Whether each thread goes through rows of its own, rather than share one."""
    if adapter == "software" and rows.rows >= SERIAL_ROWS and rows.length <= SERIAL_LIMIT:
        return True
    return rows.length <= SERIAL_LENGTH and rows.rows > 1


def _threads(length: int, adapter: str) -> int:
    """Threads that share a row: of a graphics processor so many that each has as much of it, in fours."""
    threads = most = WIDE[adapter]
    while adapter == "gpu" and threads > LEAST_WIDE and length % (4 * threads):
        threads //= 2
    return threads if length % (4 * threads) == 0 else most


def read_by_rows(graph: Graph, group: Group, rows: Rows) -> set[tuple[int, str]]:
    """The elements that such a kernel reads, as (node, number)."""
    writer = _Writer(graph, group, rows, WORKGROUP, serial=False)
    writer.stages()
    return writer.read


@attrs.define
class _Writer:
    """Writes the stages of a kernel: one for each reduction, then what is stored."""

    graph: Graph
    group: Group
    rows: Rows
    threads: int
    serial: bool
    subgroups: bool = False
    quads: frozenset[int] = frozenset()
    read: set[tuple[int, str]] = attrs.field(factory=set)
    keeps: tuple[int, ...] = ()
    """Nodes whose elements stay in registers from the first stage that has them on."""
    _seen: list[set[int]] = attrs.field(factory=list)
    """The nodes that each stage had an element of."""
    _kept: set[int] = attrs.field(factory=set)

    @property
    def fours(self) -> int:
        """Fours of a row that each thread has, where all have as many."""
        return self.rows.length // (4 * self.threads)

    @property
    def folds(self) -> list[Fold]:
        """How a workgroup joins what each reduction has gathered; none where one thread has it all."""
        if self.serial:
            return []
        nodes = (self.graph.nodes[core] for core in self.group.cores)
        return [
            fold_of(node.op, self.graph.types[node.args[0]].dtype, subgroups=self.subgroups) for node in nodes
        ]

    def keep(self) -> None:
        """Keep what several stages read, or compute only to reduce it, as far as there is room."""
        reduced = [self.graph.nodes[core].args[0] for core in self.group.cores]
        wanted = dict.fromkeys([*sorted(self.quads), *reduced])
        several = [node for node in wanted if sum(node in seen for seen in self._seen) > 1]
        self.keeps = tuple(several[: KEPT_FOURS // self.fours])

    def accumulators(self) -> list[str]:
        """What each reduction gathers, and how a workgroup joins it."""
        found: list[str] = []
        for number, core in enumerate(self.group.cores):
            node = self.graph.nodes[core]
            found.append(accumulator(node.op, self.graph.types[node.args[0]].dtype, str(number)))
        return found + [fold.declared(number) for number, fold in enumerate(self.folds)]

    def stages(self) -> list[str]:
        """All statements."""
        self._seen, self._kept = [], set()
        kinds = {node: WGSL_TYPES[self.graph.types[node].dtype] for node in self.keeps}
        found = [f"var kept{node}: array<vec4<{kind}>, {self.fours}>;" for node, kind in kinds.items()]
        folds = self.folds
        for number, core in enumerate(self.group.cores):
            gathered = f"gathered{number}"
            found += [
                f"var {gathered} = identity{number}();",
                self._loop(number, partial(self._gather, number, core)),
                f"let whole{number} = {folds[number].whole(gathered, number) if folds else gathered};",
            ]
        return found + self._stores()

    def _gather(self, number: int, core: int, elements: Elements) -> dict[int, str]:
        node = self.graph.nodes[core]
        value = elements.value(node.args[0], _place(elements, self.graph, node.args[0], self.rows))
        element = f"Accumulator{number}({value}, r)" if node.op.startswith("arg") else value
        elements.lines.append(f"gathered{number} = combine{number}(gathered{number}, {element});")
        return {}

    def _stores(self) -> list[str]:
        """What is stored once a row, and what for each element."""
        graph, group = self.graph, self.group
        stages: list[str] = []
        once = [root for root in group.roots if graph.types[root].size == self.rows.rows]
        each = [root for root in group.roots if root not in once]
        if once:
            elements = _elements(graph, group, len(group.cores), "o")
            for root in once:
                store(graph, group, [root], elements, _row_place(elements, graph, root))
            self.read |= elements.read
            body = "\n".join(f"  {line}" for line in elements.lines)
            stages.append(f"if (thread == 0u) {{\n{body}\n}}")
        if each:
            stages.append(self._loop(len(group.cores), partial(self._values, each)))
        return stages

    def _values(self, each: list[int], elements: Elements) -> dict[int, str]:
        return {root: elements.value(root, _place(elements, self.graph, root, self.rows)) for root in each}

    def _keeping(
        self, body: Callable[[Elements], dict[int, str]], seen: set[int], elements: Elements
    ) -> dict[int, str]:
        """The body of a loop that takes what is kept, and keeps what it is the first to have."""
        for node in self._kept:
            elements.bind(node, "i", f"kept{node}[n].{elements.lane}")
        values = body(elements)
        known = elements.known("i")
        for node in self.keeps:
            if node in known and node not in self._kept:
                elements.lines.append(f"kept{node}[n].{elements.lane} = {known[node]};")
        seen.update(known)
        return values

    def _loop(self, stage: int, body: Callable[[Elements], dict[int, str]]) -> str:
        """A loop over the row, four elements at a time where that is possible."""
        step = 1 if self.serial else self.threads
        seen: set[int] = set()
        if self.quads:
            before, lines = quad(
                self.graph,
                self.group,
                self.quads,
                lambda: _elements(self.graph, self.group, stage),
                partial(self._keeping, body, seen),
                ["let r = r4 * 4u + lane;"],
                varying=("r", "r4", "n"),
            )
            lines = ["let q = row * (LENGTH / 4u) + r4;", *lines]
            opening = f"for (var r4 = thread; r4 < LENGTH / 4u; r4 += {step}u) {{"
            if self.keeps:
                lines = [f"let r4 = n * {step}u + thread;", *lines]
                opening = f"for (var n = 0u; n < {self.fours}u; n += 1u) {{"
        else:
            elements = _elements(self.graph, self.group, stage)
            values = body(elements)
            seen.update(elements.known("i"))
            self.read |= elements.read
            before, lines = hoisted(elements.lines, ("r", "i", f"gathered{stage}"))
            lines = ["let i = row * LENGTH + r;", *lines]
            for root, value in values.items():
                name = f"result{self.group.roots.index(root)}"
                lines.append(f"{name}[i] = {stored(value, self.graph.types[root].dtype)};")
            opening = f"for (var r = thread; r < LENGTH; r += {step}u) {{"
        self._seen.append(seen)
        self._kept |= seen.intersection(self.keeps)
        loop = [opening, *(f"  {line}" for line in lines), "}"]
        if before:  # in a block, so that each stage has its own names
            loop = ["{", *(f"  {line}" for line in (*before, *loop)), "}"]
        return "\n".join(loop)


def _elements(graph: Graph, group: Group, stage: int, prefix: str = "v") -> Elements:
    """Elements of a row, for which the reductions before `stage` are known."""
    elements = Elements(graph, names(group), prefix)
    for number, core in enumerate(group.cores[:stage]):
        searched = graph.nodes[core].op.startswith("arg")
        value = f"i32(whole{number}.place)" if searched else f"whole{number}"
        for place in ("row", "0u") if graph.types[core].size == 1 else ("row",):
            elements.bind(core, place, rounded(value, graph.types[core].dtype))
    return elements


def _place(elements: Elements, graph: Graph, node: int, rows: Rows) -> Place:
    """The place of element `r` of row `row` in an array of as many elements as there are."""
    shape = graph.types[node].shape
    split = next((at for at in range(len(shape) + 1) if math.prod(shape[:at]) == rows.rows
                  and math.prod(shape[at:]) == rows.length), None)  # fmt: skip
    if split is None:
        return Place("i", None)
    outer = elements.coordinates(shape[:split], Place("row", None))
    inner = elements.coordinates(shape[split:], Place("r", None))
    return Place("i", (*outer, *inner))


def _row_place(elements: Elements, graph: Graph, node: int) -> Place:
    return Place("row", elements.coordinates(graph.types[node].shape, Place("row", None)))

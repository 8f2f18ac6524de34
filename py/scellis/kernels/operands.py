"""What kernels of attention read and store: functions that take four features of a row, or finish them."""

from __future__ import annotations

import re

import attrs

from scellis.graph.fuse import Group, computed
from scellis.graph.graph import Graph
from scellis.graph.types import BOOL, Shape
from scellis.kernels.assembly import names, store
from scellis.kernels.elements import Elements, Place
from scellis.kernels.expressions import rounded
from scellis.kernels.fours import four, read_in_fours
from scellis.kernels.templates import read_wgsl

MATRICES = ("query", "key", "value", "cotangent")
"""Operands of rows of features; the others have a number for each score, or for each row of them."""
_AT = "batch: u32, head: u32, row: u32"
"""The parameters that say which row."""
_NAMES = ("query", "key", "value", "mask", "cotangent", "logsumexp", "product")


@attrs.frozen
class Operands:
    """The operands of a kernel by name, as nodes of the graph, and the arrays that are read in fours."""

    graph: Graph
    group: Group
    nodes: dict[str, int]
    quads: frozenset[int]

    @classmethod
    def of(cls, graph: Graph, group: Group) -> Operands:
        """Those of a group whose cores are of attention."""
        args = max((graph.nodes[core].args for core in group.cores), key=len)
        if len(args) == 3:  # the sums of weights alone have no value; what stands for it is not read
            args = (args[0], args[1], args[1], args[2])
        nodes = dict(zip(_NAMES, args, strict=False))
        ways = [(node, -1 if name in MATRICES else None) for name, node in nodes.items()]
        return cls(graph, group, nodes, read_in_fours(graph, group, ways))

    def core(self, op: str) -> int | None:
        """The node of an operation, None where the kernel does not compute it."""
        return next((core for core in self.group.cores if self.graph.nodes[core].op == op), None)

    def shape(self, name: str) -> Shape:
        """Of one operand."""
        return self.graph.types[self.nodes[name]].shape

    def readers(self) -> list[str]:
        """A function for each operand: `query_at(batch, head, row, feature)` and so on."""
        return [
            self._mask() if name == "mask" else self._four(name) if name in MATRICES else self._number(name)
            for name in self.nodes
        ]

    def finishers(self) -> list[str]:
        """A function for each core that takes its result and stores what follows."""
        return [text for core in self.group.cores for text in self._finisher(core)]

    def load(self, name: str, tile: str, across: int) -> str:
        """A function that takes 16 features of so many rows of an operand into shared memory."""
        text = read_wgsl("attention_load.wgsl").replace("OPERAND_ACROSS", f"{across}u")
        return re.sub(r"\bTILE\b", tile, text).replace("OPERAND", name)

    def take(self, name: str, fours: int) -> str:
        """A function that takes all features, padded to so many fours, of 16 rows."""
        text = read_wgsl("attention_take.wgsl").replace("OPERAND_FOURS", f"{fours}u")
        return text.replace("OPERAND_ROWS", f"{self.shape(name)[2]}u").replace("OPERAND", name)

    def _four(self, name: str) -> str:
        """Four features, from one on whose number is a multiple of four; 0 past the last."""
        width = self.shape(name)[3]
        place = ("batch", "head", "row", "feature")
        lines, value = four(self.graph, self.group, self.quads, self.nodes[name], place, -1)
        inside = f"feature < {width}u"
        if width % 4:
            lanes = ", ".join(f"feature + {lane}u" for lane in range(4))
            inside = f"vec4<u32>({lanes}) < vec4<u32>({width}u)"
        return _function(
            f"{name}_at({_AT}, feature: u32) -> vec4<f32>",
            [*lines, f"return select(vec4<f32>(), {value}, {inside});"],
        )

    def _number(self, name: str) -> str:
        """The number of a row."""
        reading = self._elements()
        value = reading.value(self.nodes[name], Place(None, ("batch", "head", "row")))
        lines = [*reading.lines, f"return {value};"]
        return _function(f"{name}_at({_AT}) -> f32", lines)

    def _mask(self) -> str:
        """What a score becomes by the mask."""
        reading = self._elements()
        value = reading.value(self.nodes["mask"], Place(None, ("batch", "head", "row", "column")))
        hides = self.graph.types[self.nodes["mask"]].dtype == BOOL
        lines = [
            *reading.lines,
            f"return {f'select(NOTHING, score, {value})' if hides else f'score + {value}'};",
        ]
        return _function(f"masked({_AT}, column: u32, score: f32) -> f32", lines)

    def _finisher(self, core: int) -> list[str]:
        graph, name = self.graph, self.graph.nodes[core].op
        _, heads, rows, *width = graph.types[core].shape
        at = f"(batch * {heads}u + head) * {rows}u + row"
        finishing = self._elements()
        finishing.lines.append(f"let at = ({at}) * {width[0]}u + column;" if width else f"let at = {at};")
        finishing.bind(core, "at", rounded("total", graph.types[core].dtype))
        roots = [root for root in self.group.roots if core in computed(graph, [root], self.group.reads)]
        store(graph, self.group, roots, finishing, Place("at", None))
        if not width:
            inside = _inside(f"row < {rows}u", finishing.lines)
            return [_function(f"put_{name}({_AT}, total: f32)", inside)]
        inside = _inside(f"(row < {rows}u) & (column < {width[0]}u)", finishing.lines)
        each = [
            "for (var n = 0u; n < 4u; n += 1u) {",
            f"  finish_{name}(batch, head, row, column + n, four[n]);",
            "}",
        ]
        return [
            _function(f"finish_{name}({_AT}, column: u32, total: f32)", inside),
            _function(f"put_{name}({_AT}, column: u32, four: vec4<f32>)", each),
        ]

    def _elements(self) -> Elements:
        return Elements(self.graph, names(self.group))


def _function(head: str, lines: list[str]) -> str:
    body = "\n".join(f"  {line}" for line in lines)
    return f"fn {head} {{\n{body}\n}}"


def _inside(condition: str, lines: list[str]) -> list[str]:
    return [f"if ({condition}) {{", *(f"  {line}" for line in lines), "}"]

"""A product and its factors, as kernels of graphics processors read them: neighbours in memory together."""

from __future__ import annotations

import math
from collections.abc import Callable

import attrs

from scellis.graph.fuse import Group
from scellis.graph.graph import Graph
from scellis.kernels.assembly import names
from scellis.kernels.elements import Elements, Place
from scellis.kernels.fours import read_in_fours
from scellis.kernels.views import View, view_of

_AXES = (("row", "k"), ("k", "column"))


@attrs.frozen
class Factors:
    """The factors of a product, `batch` times `m` by `k` by `n`, and the views of arrays that they are."""

    graph: Graph
    group: Group
    batch: int
    m: int
    k: int
    n: int
    views: tuple[View | None, View | None]

    @classmethod
    def of(cls, graph: Graph, group: Group) -> Factors:
        """Those of a group whose core is a product."""
        left, right = graph.nodes[group.cores[0]].args
        *batch, m, k = graph.types[left].shape
        n = graph.types[right].shape[-1]
        views = (view_of(graph, group, left), view_of(graph, group, right))
        return cls(graph, group, math.prod(batch), m, k, n, views)

    @property
    def sizes(self) -> dict[str, int]:
        """What the kernels call them."""
        return {"M": self.m, "K": self.k, "N": self.n}

    @property
    def along(self) -> list[int]:
        """The axis of each factor along which neighbours are neighbours in memory: -2 where it is turned."""
        return [-2 if view and view.steps[-1] != 1 and view.steps[-2] == 1 else -1 for view in self.views]

    def read_together(self, each: int) -> frozenset[int]:
        """The arrays of which so many neighbours are taken at a time."""
        operands = zip(self.graph.nodes[self.group.cores[0]].args, self.along, strict=True)
        return read_in_fours(self.graph, self.group, list(operands), each)

    def turnings(self) -> list[str]:
        """The constants that say which factors are turned."""
        return [
            f"const {name}_TURNED = {str(along == -2).lower()};"
            for name, along in zip("AB", self.along, strict=True)
        ]

    def reader(
        self, side: int, name: str, kind: str, read: Callable[[int, tuple[str, ...]], tuple[list[str], str]]
    ) -> str:
        """A function that reads of a factor: `read` gives statements and the value, of a node at a place."""
        node, axes = self.graph.nodes[self.group.cores[0]].args[side], _AXES[side]
        outer = Elements(self.graph, names(self.group), "o")
        batch = outer.coordinates(self.graph.types[node].shape[:-2], Place("batch", None))
        lines, value = read(node, (*batch, *axes))
        body = "\n".join(f"  {line}" for line in [*outer.lines, *lines, f"return {value};"])
        return f"fn {name}(batch: u32, {axes[0]}: u32, {axes[1]}: u32) -> {kind} {{\n{body}\n}}"

"""Where NaN or an infinity first arises: a graph that says of each of its arrays whether it holds one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

import attrs

from scellis.errors import ScellisError
from scellis.graph.fuse import MOVES
from scellis.graph.graph import Graph, Node
from scellis.graph.types import FLOATS

T = TypeVar("T")

_TESTS: Mapping[str, tuple[str, str, bool]] = {
    "nan": ("isnan", "any", True),
    "nonfinite": ("isfinite", "all", False),
}
"""By kind of trap: what is asked of each element, how answers are joined, and which one springs it."""
_SAYS = {
    "nan": (
        "SCL-ARRAY-NAN",
        "NaN",
        "Look for 0 / 0, ∞ − ∞, roots and logarithms of negative numbers. "
        'An infinity that led to it is found by trap="nonfinite".',
    ),
    "nonfinite": (
        "SCL-ARRAY-NONFINITE",
        "NaN or an infinity",
        "Look for quotients by 0, for exponentials and sums that grow too large, for roots and logarithms.",
    ),
}
_TESTED = tuple(test for test, _, _ in _TESTS.values())
_QUIET = (*MOVES, "barrier", "constant", "stop_gradient")
"""Operations that make no float that is not among those that they are given, or finite."""


@attrs.frozen
class Trap:
    """`graph` with a bool at the end of its outputs for each node of `watched`; none of them for no trap."""

    graph: Graph
    watched: tuple[int, ...]
    kind: str

    def checked(self, outputs: Sequence[T]) -> list[T]:
        """What `graph` gave, without the bools.

        Raises `SCL-ARRAY-NAN` or `SCL-ARRAY-NONFINITE`, naming the first node in order that holds one.
        """
        count = len(outputs) - len(self.watched)
        for node, flag in zip(self.watched, outputs[count:], strict=True):
            if bool(flag) == _TESTS[self.kind][2]:
                raise self._sprung(node)
        return list(outputs[:count])

    def _sprung(self, index: int) -> ScellisError:
        graph, node = self.graph, self.graph.nodes[index]
        code, what, remedy = _SAYS[self.kind]
        if node.op == "input":
            number = graph.inputs.index(index)
            message = f"Input {number}, {graph.named(index)}, was given with {what} in it."
            remedy = "Look at what makes it; what is computed from it cannot be finite."
        else:
            args = " and ".join(f"%{argument} {graph.named(argument)}" for argument in node.args)
            source = f"from finite {args}" if self.kind == "nonfinite" else f"from {args} without one"
            message = (
                f"%{index} {graph.named(index)} is the first to hold {what}, {source if args else 'itself'}."
            )
        return ScellisError(code, message, remedy, node=index, op=node.op, place=graph.places[index])


def watch(graph: Graph, kind: str) -> Trap:
    """A graph with a trap: for "nan", for "nonfinite" (infinities too), or none for "".

    Its nodes keep their numbers. Inputs and whatever computes floats are watched, used or not. Raises
    `SCL-ARRAY-TRAP` for another kind.
    """
    if not kind:
        return Trap(graph, (), kind)
    if kind not in _TESTS:
        raise ScellisError(
            "SCL-ARRAY-TRAP", f"There is no trap {kind[:20]!r}.", 'There are "nan" and "nonfinite".'
        )
    watched = tuple(
        index
        for index, (node, type_) in enumerate(zip(graph.nodes, graph.types, strict=True))
        if type_.dtype in FLOATS and type_.size and node.op not in _QUIET
    )
    test, joined, _ = _TESTS[kind]
    nodes, places, outputs = list(graph.nodes), list(graph.places), list(graph.outputs)
    for index in watched:
        axes = tuple(range(graph.types[index].rank))
        nodes += [Node(test, (index,)), Node(joined, (len(nodes),), {"axes": axes})]
        places += [graph.places[index]] * 2
        outputs.append(len(nodes) - 1)
    return Trap(Graph(tuple(nodes), tuple(outputs), places=tuple(places)), watched, kind)


def asked_of(graph: Graph, count: int) -> set[int]:
    """The nodes that the last `count` outputs of a graph with a trap tell of, whatever passes made of it."""
    found: set[int] = set()
    pending, seen = list(graph.outputs[len(graph.outputs) - count :]), set[int]()
    while pending:
        index = pending.pop()
        node = graph.nodes[index]
        if node.op in _TESTED:
            found.update(node.args)
        elif index not in seen:  # answers that are joined, those of parts too
            seen.add(index)
            pending += node.args
    return found

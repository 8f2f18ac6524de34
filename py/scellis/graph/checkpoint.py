"""Parts of a program whose arrays are computed again for the derivative, rather than kept until then."""

from __future__ import annotations

import bisect
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from scellis.graph.trace import Builder, Value

P = ParamSpec("P")
R = TypeVar("R")


def checkpoint(function: Callable[P, R]) -> Callable[P, R]:
    """`function`, of whose values only the arguments and results are kept for a derivative by `vjp`.

    What it computes between is computed again, in the same bits, when the derivative comes to it: a random
    array is drawn again as it was. That is the rest of a forward pass more in time, for memory that grows
    with the number of checkpoints and no longer with what is within them. Of one checkpoint within another
    the outer one counts. Source: T. Chen, B. Xu, C. Zhang, C. Guestrin, "Training deep nets with sublinear
    memory cost", 2016; the name is that of PyTorch and JAX.
    """

    def checked(*args: P.args, **kwargs: P.kwargs) -> R:
        given = [value for value in (*args, *kwargs.values()) if isinstance(value, Value)]
        start = len(given[0].builder.nodes) if given else 0
        found = function(*args, **kwargs)
        if given:
            given[0].builder.checkpoint(start)
        return found

    return checked


class Recomputed:
    """The values of checkpoints as one derivative computes them again: after what it has by then."""

    def __init__(self, builder: Builder) -> None:
        self._builder = builder
        self._known: dict[int, Value] = {}
        self._after: dict[int, Value] = {}

    def value(self, index: int, within: int, cotangent: Value) -> Value:
        """Node `index` as it is computed again for node `within`, whose cotangent is known.

        It is the node itself where that was made before the checkpoint of the other, or there is none.
        """
        builder = self._builder
        place = bisect.bisect_right(builder.checkpoints, (within, len(builder.nodes))) - 1
        start, stop = builder.checkpoints[place] if place >= 0 else (0, 0)
        if not start <= within < stop or not cotangent.size:
            return Value(builder, index)
        after = self._after.setdefault(start, cotangent[(0,) * cotangent.ndim])
        pending, needed = [index], set[int]()
        while pending:
            at = pending.pop()
            if at >= start and at not in self._known and at not in needed and builder.nodes[at].args:
                needed.add(at)
                pending += builder.nodes[at].args
        for at in sorted(needed):
            self._known[at] = self._again(at, after)
        return self._known.get(index, Value(builder, index))

    def _again(self, index: int, after: Value) -> Value:
        """A node on what is computed again; on its smallest argument, held back, where nothing is."""
        builder, node = self._builder, self._builder.nodes[index]
        args = [self._known.get(argument, Value(builder, argument)) for argument in node.args]
        with builder.at(builder.places[index]):  # it is no derivative
            if self._known.keys().isdisjoint(node.args):
                least = min(range(len(args)), key=lambda place: args[place].size)
                args[least] = builder.apply("barrier", args[least], after)
            return builder.apply(node.op, *args, **node.params)

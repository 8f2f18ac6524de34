"""Where the elements of an operand lie in the stored array that it is a view of, by NumPy's own strides."""

from __future__ import annotations

import math

import attrs
import numpy as np

from scellis.graph.fuse import Group, widens
from scellis.graph.graph import Graph
from scellis.graph.movement import MOVEMENT_OPS, shape_of
from scellis.graph.op import Array
from scellis.graph.types import Shape

SEEN_THROUGH = ("reshape", "permute_dims", "broadcast_to", "slice", "windows")
"""Movements after which an element still lies at a sum of steps, if NumPy needs no copy for it."""


@attrs.frozen
class View:
    """Element (…, row, column) lies in `array` at `first` and a step for each coordinate, in elements."""

    array: int
    first: int
    shape: Shape
    steps: Shape

    def offset(self, batch: str) -> str:
        """Where matrix number `batch` begins, as WGSL."""
        terms = [f"{self.first}u"] if self.first else []
        inner = 1
        for length, step in reversed([*zip(self.shape[:-2], self.steps[:-2], strict=True)]):
            if length > 1 and step:
                number = batch if inner == 1 else f"{batch} / {inner}u"
                outermost = inner * length == math.prod(self.shape[:-2])
                terms.append(f"{number if outermost else f'{number} % {length}u'} * {step}u")
            inner *= length
        return " + ".join(terms) or "0u"

    def in_groups(self, axis: int, each: int = 4) -> bool:
        """Whether each four elements along an axis, -1 or -2, lie as four that begin at a multiple of 4.

        `each`: the same of another power of two. An array without elements has a buffer too short for any.
        """
        others = [step for at, step in enumerate(self.steps) if at != len(self.steps) + axis]
        return (
            self.steps[axis] == 1
            and 0 not in self.shape
            and self.shape[axis] % each == 0
            and all(step % each == 0 for step in (self.first, *others))
        )


def view_of(graph: Graph, group: Group, node: int) -> View | None:
    """The view that a node is of a stored array, as it is or widened; None for what is none."""
    moves = []
    while node not in group.reads:
        if graph.nodes[node].op in SEEN_THROUGH:
            moves.append(node)
        elif not widens(graph, node):
            return None
        node = graph.nodes[node].args[0]
    shape = graph.types[node].shape
    steps = tuple(math.prod(shape[axis + 1 :]) for axis in range(len(shape)))
    # No element is ever looked at: one byte stands for all, and a step of a byte for one of an element.
    whole: Array = np.lib.stride_tricks.as_strided(np.empty(1, np.int8), shape, steps)
    seen = whole
    for move in reversed(moves):
        op, params = graph.nodes[move].op, graph.nodes[move].params
        try:
            seen = (
                seen.reshape(shape_of(params), copy=False)
                if op == "reshape"
                else MOVEMENT_OPS[op].evaluate([seen], params, graph.types[move])
            )
        except ValueError:
            return None
    first = seen.__array_interface__["data"][0] - whole.__array_interface__["data"][0]
    # An axis of one element needs no step.
    steps = tuple(step if length > 1 else 0 for length, step in zip(seen.shape, seen.strides, strict=True))
    return View(node, first, seen.shape, steps)

"""The part of a node's result that is to be computed, and all that it is computed from."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import attrs

from scellis.graph.cuts import Box
from scellis.graph.graph import Node
from scellis.graph.movement import int_of
from scellis.graph.op import Params
from scellis.graph.pieces import Pieces
from scellis.graph.trace import Value
from scellis.graph.types import ArrayType


@attrs.frozen(eq=False)
class Part:
    """The part of a node's result that is asked for; `made` are the parts before it."""

    node: Node
    type: ArrayType
    args: tuple[Pieces, ...]
    box: Box
    made: Pieces

    @property
    def params(self) -> Params:
        """Those of the node."""
        return self.node.params

    @property
    def axis(self) -> int:
        """The axis that the operation goes along."""
        return int_of(self.params, "axis") % self.args[0].type.rank

    def apply(self, *args: Value) -> Value:
        """The operation itself, on other arguments."""
        return self.made.builder.apply(self.node.op, *args, **self.params)


PartRule: TypeAlias = Callable[[Part], Value]

"""Additions by many indices: these are sorted first, so that an element of the result finds its terms."""

from __future__ import annotations

from collections.abc import Sequence

from scellis.graph import functions
from scellis.graph.movement import int_of
from scellis.graph.op import Params
from scellis.graph.sorting import merged_order
from scellis.graph.trace import Value
from scellis.graph.types import I32, ArrayType

MANY = range(2**24, 2**62)
"""Elements of the result times indices from which on these are sorted: fewer are looked through as fast."""
ORDER_LIMIT = 2**22
"""Indices of which the order fills half a binding."""


def has_many(result: ArrayType, indices: ArrayType) -> bool:
    """Whether so much would be looked through that the indices are sorted."""
    return result.size * indices.size in MANY and indices.size <= ORDER_LIMIT


def in_order(args: Sequence[Value], params: Params) -> Value:
    """`scatter_add`, to the bit: each sum runs in the order of its updates."""
    updates, indices = args
    length = int_of(params, "length")
    last = max(length - 1, 0)
    held = functions.clip(indices, 0, min(last, 2**31 - 1) if indices.dtype == I32 else last)
    return updates.builder.apply(
        "scatter_add_in_order", updates, held, merged_order(held), **params, start=0, stop=length
    )

"""The operation that sorting is made of: sorted runs of elements, merged many at a time.

Source: many-way merging by ranks, each element's found by binary searches in the other runs; N. Satish,
M. Harris, M. Garland, "Designing efficient sorting algorithms for manycore GPUs", 2009.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from scellis.errors import ScellisError
from scellis.graph.elementwise import listed
from scellis.graph.indexing import clamped
from scellis.graph.movement import int_of
from scellis.graph.op import Array, Op, Params, flag, integer
from scellis.graph.types import I32, NUMBERS, ArrayType

WAYS = 32
"""Runs that one step merges: 2^20 elements are sorted in four steps."""


def _merged_type(types: Sequence[ArrayType], params: Params) -> ArrayType:
    keys, order = types
    fits = keys.rank >= 1 and keys.shape == order.shape and keys.dtype in NUMBERS and order.dtype == I32
    if not fits or int_of(params, "run") < 1:
        raise ScellisError(
            "SCL-GRAPH-SHAPE", f"merge_order takes numbers and their order, i32, not {listed(types)}."
        )
    return order


def _merged(arrays: Sequence[Array], params: Params, type_: ArrayType) -> Array:
    keys, order = arrays
    length = keys.shape[-1]
    held = np.take_along_axis(keys, clamped(order, length), -1)
    if params["descending"]:
        held = -(held if held.dtype.kind == "f" else held.astype(np.int64))
    together = np.broadcast_to(np.arange(length) // (WAYS * int_of(params, "run")), held.shape)
    places = np.lexsort((held, together), axis=-1)  # stable, NaN last
    return np.take_along_axis(order, places, -1)


ORDERING_OPS: Mapping[str, Op] = {
    "merge_order": Op(2, _merged_type, _merged, {"run": integer, "descending": flag}),
}
"""`merge_order(keys, order)`, both (…, n): along the last axis `order` has numbers of elements, each `run` of
them in order, NaN last; 32 runs at a time become one, equal elements in the order of their runs."""

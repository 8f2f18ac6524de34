"""Whole weights of categories, added up: from them a category is chosen with the same bits on every device.

A row's greatest weight becomes 2^31 − 1, or less where there are more than 2^16 of them, and each other one
the whole number below its share of that. They are added up in two words, of which the 32 bits from the
highest down are kept. So a probability is off by a few times 2^−31, and what is cut off all others together
by at most 2^−31 times their number.
"""

from __future__ import annotations

from scellis.errors import ScellisError
from scellis.graph import functions
from scellis.graph.trace import Value
from scellis.graph.types import U32

LIMIT = 2**20
"""The most categories: their weights have 23 bits then."""


def cumulative_weights(op: str, x: Value) -> tuple[Value, Value]:
    """Weights (…, categories) u32 added up, and whether each row has a greatest one that is finite.

    `op`: "share_weight" of what weighs as much as it is, "exp_weight" of logarithms. Raises
    `SCL-GRAPH-SHAPE`.
    """
    if not x.ndim or not 1 <= x.shape[-1] <= LIMIT:
        raise ScellisError("SCL-GRAPH-SHAPE", f"{x.type} has no last axis of 1 to {LIMIT} categories.")
    count = x.shape[-1]
    room = min(32 - (count - 1).bit_length(), 31)  # bits of a number that `count` of may be added up
    top = functions.max(x, -1, keepdims=True)
    weight = x.builder.apply(op, x, top.broadcast_to(x.shape), bits=min(2 * room - 1, 31))
    low = functions.cumulative_sum(weight & (2**room - 1), -1)
    high = functions.cumulative_sum(weight >> room, -1)
    first = (high << room) + low
    second = (high >> (32 - room)) + (first < low).astype(U32)
    above = second[..., -1:]
    length = functions.zeros_like(above)
    for bit in range(count.bit_length()):
        length = length + (above >= 2**bit).astype(U32)
    return (second << (32 - length)) | (first >> length), functions.isfinite(top)[..., 0]

"""Products and powers of integers, in operations that kernels compute. All wraps round, and so is exact."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import reduce
from operator import add

from scellis.graph import functions
from scellis.graph.op import Params
from scellis.graph.trace import Value
from scellis.graph.types import I32, SIZE_LIMIT


def product(args: Sequence[Value], params: Params) -> Value:
    """(…, m, k) by (…, k, n) as sums of products that are never stored: one kernel that reduces.

    Neighbours in a row of the result are neighbours in memory of the right factor. So many terms at a time as
    have numbers in u32.
    """
    *outer, m, k = args[0].shape
    n, batch = args[1].shape[-1], math.prod(outer)
    a = functions.reshape(args[0], (batch, m, k, 1))
    b = functions.reshape(args[1], (batch, 1, k, n))
    terms = max(SIZE_LIMIT // max(batch * m * n, 1), 1)
    sums = [
        functions.sum(a[:, :, start : start + terms] * b[:, :, start : start + terms], 2)
        for start in range(0, max(k, 1), terms)
    ]
    return functions.reshape(reduce(add, sums), (*outer, m, n))


def power(args: Sequence[Value], params: Params) -> Value:
    """X to the power y by squaring, a bit of y at a time; 0 for a y below 0."""
    x, y = args
    found = functions.ones_like(x)
    for bit in range(31 if y.dtype == I32 else 32):
        found = functions.where((y & (1 << bit)) != 0, found * x, found)
        x = x * x
    return functions.where(y < 0, 0, found) if y.dtype == I32 else found

"""The operation that holds a value back until another is there: what hangs on it is not computed before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scellis.errors import ScellisError
from scellis.graph.op import Op, Params
from scellis.graph.types import ArrayType


def _barrier(types: Sequence[ArrayType], params: Params) -> ArrayType:
    if types[1].rank:
        raise ScellisError("SCL-GRAPH-SHAPE", f"barrier waits for one number, not for {types[1]}.")
    return types[0]


BARRIER_OPS: Mapping[str, Op] = {"barrier": Op(2, _barrier, lambda arrays, params, type_: arrays[0])}
"""The first argument as it is, once the second is known. It is no equal of the argument to any pass."""

"""The operation that draws random words: a pure function of key, stream, index and place."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from scellis.errors import ScellisError
from scellis.graph.elementwise import listed
from scellis.graph.movement import int_of, shape_of
from scellis.graph.op import Array, Op, Params, integer, integers
from scellis.graph.types import U32, ArrayType
from scellis.rng.philox import philox4x32
from scellis.rng.streams import stream_of

KEY = ArrayType((2,), U32)
INDEX = ArrayType((), U32)


def _words(types: Sequence[ArrayType], params: Params) -> ArrayType:
    if tuple(types) != (KEY, INDEX):
        raise ScellisError("SCL-GRAPH-DTYPE", f"random_words takes {KEY} and {INDEX}, not {listed(types)}.")
    stream_of(int_of(params, "family"), 0)
    if not 0 <= int_of(params, "lane") < 4 or int_of(params, "block") < 0:
        raise ScellisError(
            "SCL-GRAPH-PARAMETER", "random_words takes a block from 0 on and a lane from 0 to 3."
        )
    return ArrayType(shape_of(params), U32)


def _drawn(arrays: Sequence[Array], params: Params, type_: ArrayType) -> Array:
    key, index = arrays
    element = np.arange(math.prod(type_.shape), dtype=np.uint32)
    counter = (element, int_of(params, "block"), int(index), int_of(params, "family"))
    return philox4x32(counter, (int(key[0]), int(key[1])))[int_of(params, "lane")].reshape(type_.shape)


WORDS_OPS: Mapping[str, Op] = {
    "random_words": Op(
        2, _words, _drawn, {"shape": integers, "family": integer, "block": integer, "lane": integer}
    ),
}
"""Element e is word `lane` of the block with counter (e, block, index, family), see `scellis.rng.streams`."""

"""The operations that draw by rejection, and those that make whole weights of categories.

A draw takes as many words of its stream as it happens to need. Every argument has the shape of the result:
the key's two words, the index and the number of the draw within its stream, u32, then parameters. So the
operations are elementwise, and `vmap` need not know more. What a device computes of them:
`wgsl/random_*.wgsl`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from scellis.errors import ScellisError
from scellis.graph.elementwise import listed
from scellis.graph.movement import int_of
from scellis.graph.op import Array, Op, Params, integer
from scellis.graph.types import F32, I32, U32, ArrayType
from scellis.rng import counts, rejection
from scellis.rng.rejection import Counters
from scellis.rng.soft_float import ONE, ZERO, Soft, choose, exp, whole
from scellis.rng.streams import stream_of, uniform_from_words

COUNTER = (U32, U32, U32, U32)
"""Of a draw: the key's two words, the index, and which draw of the stream."""
BLOCKS = rejection.BLOCKS + 1
"""Blocks of four words that each of these operations reserves, from its parameter `block` on."""


def _random(
    name: str, takes: Sequence[str], gives: str, draw: Callable[[Counters, Sequence[Array]], Array]
) -> Op:
    """An operation on a counter and parameters of the types `takes`."""

    def infer(types: Sequence[ArrayType], params: Params) -> ArrayType:
        shape = types[0].shape
        wanted = [ArrayType(shape, dtype) for dtype in (*COUNTER, *takes)]
        if list(types) != wanted:
            raise ScellisError("SCL-GRAPH-DTYPE", f"{name} takes {listed(wanted)}, not {listed(types)}.")
        stream_of(int_of(params, "family"), 0)
        if int_of(params, "block") < 0:
            raise ScellisError("SCL-GRAPH-PARAMETER", f"{name} takes a block from 0 on.")
        return ArrayType(shape, gives)

    def evaluate(arrays: Sequence[Array], params: Params, type_: ArrayType) -> Array:
        low, high, index, number, *parameters = (array.ravel() for array in arrays)
        counters = Counters((low, high), index, number, int_of(params, "family"), int_of(params, "block"))
        return draw(counters, parameters).reshape(type_.shape)

    return Op(4 + len(takes), infer, evaluate, {"family": integer, "block": integer})


def _below(counters: Counters, parameters: Sequence[Array]) -> Array:
    return rejection.below(counters, parameters[0])


def _gamma(counters: Counters, parameters: Sequence[Array]) -> Array:
    """The exponent x of a draw a · exp(x), where a is the shape, or 1 more for a shape below 1."""
    (shape,) = parameters
    usable = (shape > 0) & np.isfinite(shape)
    held = np.where(usable, shape, 1).astype(np.float32)
    less = held < 1
    given = Soft.of(held)
    word = rejection.gamma_words(counters, choose(less, given + ONE, given))
    u = word * 2.0**-32
    boost = uniform_from_words(counters.words(rejection.BLOCKS, np.arange(word.size))[0])
    exponent = (np.log(u) - np.log1p(-u)) / np.sqrt(2.0 * shape + np.where(less, 1.0, -1.0))
    exponent = exponent + np.where(less, np.log(boost) / shape, 0.0)
    unusable = np.where(shape == 0, -np.inf, np.where(shape > 0, 0.0, np.nan))
    return np.where(usable, exponent, unusable).astype(shape.dtype)


def _poisson(counters: Counters, parameters: Sequence[Array]) -> Array:
    return counts.poisson(counters, parameters[0].astype(np.float32)).astype(np.int32)


def _binomial(counters: Counters, parameters: Sequence[Array]) -> Array:
    trials, chance = parameters
    return counts.binomial(counters, trials, chance.astype(np.float32)).astype(np.int32)


DRAWN_OPS: Mapping[str, Op] = {
    "random_below": _random("random_below", (U32,), U32, _below),
    "random_gamma": _random("random_gamma", (F32,), F32, _gamma),
    "random_poisson": _random("random_poisson", (F32,), I32, _poisson),
    "random_binomial": _random("random_binomial", (I32, F32), I32, _binomial),
}


# ---- weights of categories ----

_FAR = Soft.of(32.0)
"""The negative power of e from which on a weight is nothing: e^−32 < 2^−46."""


def _weight_type(types: Sequence[ArrayType], params: Params) -> ArrayType:
    if types[0] != types[1] or types[0].dtype != F32:
        raise ScellisError("SCL-GRAPH-DTYPE", f"A weight is made of two f32 arrays, not of {listed(types)}.")
    if not 0 <= int_of(params, "bits") < 32:
        raise ScellisError("SCL-GRAPH-PARAMETER", "A weight has from 0 to 31 bits.")
    return ArrayType(types[0].shape, U32)


def _share_weight(arrays: Sequence[Array], params: Params, type_: ArrayType) -> Array:
    """⌊x / top · 2^bits⌋ for 0 ≤ x ≤ top, 0 for any other."""
    x, top = (array.astype(np.float32) for array in arrays)
    sound = (x >= 0) & (x <= top) & np.isfinite(top)
    share = Soft.of(np.where(sound, x, np.float32(0))) / Soft.of(np.where(sound, top, np.float32(1)))
    return whole(share.times_power(int_of(params, "bits"))).astype(np.uint32)


def _exp_weight(arrays: Sequence[Array], params: Params, type_: ArrayType) -> Array:
    """⌊exp(x − top) · 2^bits⌋ for x ≤ top, 0 for any other."""
    x, top = (array.astype(np.float32) for array in arrays)
    sound = (x <= top) & np.isfinite(x) & np.isfinite(top)
    power = Soft.of(np.where(sound, x, np.float32(0))) - Soft.of(np.where(sound, top, np.float32(0)))
    near = sound & ~(power + _FAR).negative
    weight = whole(exp(choose(near, power, ZERO)).times_power(int_of(params, "bits")))
    return np.where(near, weight, 0).astype(np.uint32)


WEIGHT_OPS: Mapping[str, Op] = {
    "share_weight": Op(2, _weight_type, _share_weight, {"bits": integer}),
    "exp_weight": Op(2, _weight_type, _exp_weight, {"bits": integer}),
}
"""A number of a row and the row's greatest, as a whole number of `bits` bits: the same on every device."""

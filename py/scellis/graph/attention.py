"""Attention and its derivatives as operations: their types, and the references that compute them.

Each is one operation so that no device needs the matrix of scores: (batch, heads, S, T) elements, which grow
with the square of the sequence. What they compute is written in ordinary operations in `attend`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np

from scellis.errors import ScellisError
from scellis.graph.elementwise import listed
from scellis.graph.movement import float_of
from scellis.graph.op import Array, Op, Params, flag, number
from scellis.graph.types import BOOL, F16, F32, FLOATS, ArrayType

NOTHING = -3e38
"""The logarithm of the sum of no weights: a row that sees no element. WGSL need not know an infinity."""


def _checked(name: str, types: Sequence[ArrayType]) -> tuple[int, int, int, int]:
    """Batch, heads, S and T of query, key, …, mask. Raises where these do not fit each other."""
    query, key, mask = types[0], types[1], types[-1]
    value = types[2] if len(types) == 4 else key
    fits = query.rank == key.rank == value.rank == mask.rank == 4
    if fits:
        batch, heads, length, width = query.shape
        groups, others = key.shape[1], key.shape[2]
        fits = (
            key.shape == (batch, groups, others, width)
            and value.shape[:3] == key.shape[:3]
            and mask.shape == (batch, heads, length, others)
            and groups > 0
            and heads % groups == 0
        )
    if not fits:
        raise ScellisError(
            "SCL-GRAPH-SHAPE",
            f"{name} takes query (batch, heads, S, d), key (batch, groups, T, d), "
            f"value (batch, groups, T, e) and mask (batch, heads, S, T), heads a multiple of groups, "
            f"not {listed(types)}.",
        )
    floats = {query.dtype, key.dtype, value.dtype}
    if len(floats) != 1 or query.dtype not in FLOATS or mask.dtype not in (BOOL, query.dtype):
        raise ScellisError(
            "SCL-GRAPH-DTYPE",
            f"{name} takes arrays of one float type and a mask of that type or bool, not {listed(types)}.",
        )
    return batch, heads, length, others


def _attention(types: Sequence[ArrayType], params: Params) -> ArrayType:
    batch, heads, length, _ = _checked("attention", types)
    return ArrayType((batch, heads, length, types[2].shape[3]), types[0].dtype)


def _logsumexp(types: Sequence[ArrayType], params: Params) -> ArrayType:
    return _rows(types, *_checked("attention_logsumexp", types))


def _rows(types: Sequence[ArrayType], batch: int, heads: int, length: int, others: int) -> ArrayType:
    """That of a number for each row, which f16 is too coarse for."""
    dtype = types[0].dtype
    return ArrayType((batch, heads, length), F32 if dtype == F16 else dtype)


def _derivative(place: int) -> Callable[[Sequence[ArrayType], Params], ArrayType]:
    """The type of a derivative by argument `place`."""

    def infer(types: Sequence[ArrayType], params: Params) -> ArrayType:
        *given, mask, g, logsumexp, product = types
        rows = _rows(types, *_checked("A derivative of attention", [*given, mask]))
        wide = ArrayType((*rows.shape, types[2].shape[3]), types[0].dtype)
        if g != wide or logsumexp != rows or product != rows:
            raise ScellisError(
                "SCL-GRAPH-SHAPE",
                f"A derivative of attention takes a cotangent of {wide}, and {rows} twice, "
                f"not {listed([g, logsumexp, product])}.",
            )
        return types[place]

    return infer


def _heads(arrays: Sequence[Array]) -> Iterator[tuple[int, int, int]]:
    """Batch, head and group of each head: one matrix of scores at a time is enough."""
    batch, heads = arrays[0].shape[:2]
    each = heads // arrays[1].shape[1]
    for at in range(batch):
        for head in range(heads):
            yield at, head, head // each


def _wide(array: Array) -> Array:
    return array.astype(np.float32) if array.dtype == np.float16 else array


def _scale(params: Params) -> np.float32:
    """In the precision of a constant."""
    return np.float32(float_of(params, "scale"))


def _scores(query: Array, key: Array, mask: Array, params: Params) -> Array:
    """(S, T) of one head; −∞ where nothing is seen."""
    found = np.matmul(_wide(query), _wide(key).T) * _scale(params)
    seen = np.tri(*found.shape, dtype=np.bool_) if params["causal"] else np.ones(found.shape, bool)
    if mask.dtype == np.bool_:
        seen &= mask
    else:
        found = found + _wide(mask)
    return np.where(seen, found, -np.inf)


def _weights(arrays: Sequence[Array], params: Params, at: int, head: int, group: int) -> tuple[Array, Array]:
    """Weights (S, T) of one head, and the logarithms of what they were divided by, (S,)."""
    query, key, mask = arrays[0], arrays[1], arrays[-1]
    scores = _scores(query[at, head], key[at, group], mask[at, head], params)
    largest = np.max(scores, -1, keepdims=True, initial=NOTHING)
    powers = np.exp(scores - largest)
    total = powers.sum(-1, keepdims=True)
    seen = total > 0
    weights = np.divide(powers, total, out=np.zeros_like(powers), where=seen)
    logs = np.where(seen, largest + np.log(np.where(seen, total, 1)), NOTHING)
    return weights, logs[:, 0]


def _attended(arrays: Sequence[Array], params: Params, type_: ArrayType) -> Array:
    result = np.zeros(type_.shape, arrays[0].dtype)
    for at, head, group in _heads(arrays):
        weights, _ = _weights(arrays, params, at, head, group)
        result[at, head] = np.matmul(weights, _wide(arrays[2][at, group]))
    return result


def _summed(arrays: Sequence[Array], params: Params, type_: ArrayType) -> Array:
    result = np.zeros(type_.shape, _wide(arrays[0]).dtype)
    for at, head, group in _heads(arrays):
        result[at, head] = _weights(arrays, params, at, head, group)[1]
    return result


def _derived(place: int) -> Callable[[Sequence[Array], Params, ArrayType], Array]:
    def evaluate(arrays: Sequence[Array], params: Params, type_: ArrayType) -> Array:
        query, key, value, mask, g, logsumexp, product = map(_wide, arrays)
        result = np.zeros(type_.shape, query.dtype)
        for at, head, group in _heads(arrays):
            scores = _scores(query[at, head], key[at, group], mask[at, head], params)
            weights = np.exp(scores - logsumexp[at, head][:, None])
            if place == 2:
                result[at, group] += np.matmul(weights.T, g[at, head])
                continue
            slopes = np.matmul(g[at, head], value[at, group].T) - product[at, head][:, None]
            slopes = weights * slopes * _scale(params)
            if place == 0:
                result[at, head] = np.matmul(slopes, key[at, group])
            else:
                result[at, group] += np.matmul(slopes.T, query[at, head])
        return np.asarray(result, arrays[0].dtype)

    return evaluate


_PARAMS = {"scale": number, "causal": flag}

ATTENTION_OPS: Mapping[str, Op] = {
    "attention": Op(4, _attention, _attended, _PARAMS),
    "attention_logsumexp": Op(3, _logsumexp, _summed, _PARAMS),
    "attention_by_query": Op(7, _derivative(0), _derived(0), _PARAMS),
    "attention_by_key": Op(7, _derivative(1), _derived(1), _PARAMS),
    "attention_by_value": Op(7, _derivative(2), _derived(2), _PARAMS),
}

"""Attention of values: what computes it in ordinary operations, and its derivatives.

The derivatives take from the forward pass one number for each row, the logarithm of the sum of its weights'
numerators, and compute the weights from that again. Source: T. Dao, "FlashAttention-2", 2023, algorithms 1
and 2.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from scellis.graph import functions
from scellis.graph.attention import NOTHING
from scellis.graph.op import Params
from scellis.graph.trace import Value, matmul
from scellis.graph.types import BOOL, F16, F32

Written: TypeAlias = Callable[[Sequence[Value], Params], Value]


def attention(args: Sequence[Value], params: Params) -> Value:
    """Σ weight · value."""
    query, key, value, mask = args
    weights = _weights(query, key, mask, logsumexp([query, key, mask], params), params)
    return _ungrouped(_product(_grouped(weights, key), value), query)


def logsumexp(args: Sequence[Value], params: Params) -> Value:
    """log Σ exp score of each row."""
    query, key, mask = args
    scores, seen = _scores(query, key, mask, params)
    largest = functions.stop_gradient(functions.max(scores, -1))
    powers = functions.exp(scores - largest[..., None])
    if seen is not None:
        powers = functions.where(seen, powers, 0.0)
    total = functions.sum(powers, -1)
    none = total == 0.0
    return functions.where(none, NOTHING, functions.log(functions.where(none, 1.0, total)) + largest)


def by_query(args: Sequence[Value], params: Params) -> Value:
    """∂/∂query."""
    query, key = args[:2]
    return _ungrouped(_product(_by_score(args, params), key), query)


def by_key(args: Sequence[Value], params: Params) -> Value:
    """∂/∂key."""
    query, key = args[:2]
    return _product(functions.matrix_transpose(_by_score(args, params)), _grouped(query, key))


def by_value(args: Sequence[Value], params: Params) -> Value:
    """∂/∂value."""
    query, key, _, mask, g, summed, _ = args
    weights = functions.matrix_transpose(_grouped(_weights(query, key, mask, summed, params), key))
    return _product(weights, _grouped(g, key))


WRITTEN: Mapping[str, Written] = {
    "attention": attention,
    "attention_logsumexp": logsumexp,
    "attention_by_query": by_query,
    "attention_by_key": by_key,
    "attention_by_value": by_value,
}
"""Each operation in ordinary ones, which store the scores."""


def cotangents(g: Value, out: Value, args: Sequence[Value], params: Params) -> Sequence[Value | None]:
    """∂/∂query, ∂/∂key, ∂/∂value without the scores; ∂/∂mask, where it is wanted, has one for each."""
    query, key, value, mask = args
    apply = query.builder.apply
    summed = apply("attention_logsumexp", query, key, mask, **params)
    product = functions.sum((g * out).astype(summed.dtype), -1)
    given = (query, key, value, mask, g, summed, product)
    found = [apply(f"attention_by_{name}", *given, **params) for name in ("query", "key", "value")]
    if mask.dtype == BOOL:
        return [*found, None]
    return [*found, _slopes(given, params).astype(mask.dtype)]


def _scores(query: Value, key: Value, mask: Value, params: Params) -> tuple[Value, Value | None]:
    """(batch, heads, S, T), and which of them are seen where that is not all: the others are low."""
    scale = params["scale"]
    found = matmul(_wide(_grouped(query, key)), functions.matrix_transpose(_wide(key)))
    found = _ungrouped(found, query) * scale  # type: ignore[operator]  # a number, by the operation's parameters
    seen = None
    if params["causal"]:
        row, column = (functions.iota(query, found.shape[2:], axis) for axis in (0, 1))
        seen = (column <= row).broadcast_to(found.shape)
    if mask.dtype != BOOL:
        found = found + _wide(mask)
    elif not _hides_nothing(mask):
        seen = mask if seen is None else seen & mask
    return (found, None) if seen is None else (functions.where(seen, found, NOTHING), seen)


def _hides_nothing(mask: Value) -> bool:
    """Whether the mask is true wherever it is looked at."""
    nodes = mask.builder.nodes
    node = nodes[mask.index]
    while node.op in ("broadcast_to", "reshape"):
        node = nodes[node.args[0]]
    return node.op == "constant" and node.params["value"] is True


def _weights(query: Value, key: Value, mask: Value, summed: Value, params: Params) -> Value:
    """(batch, heads, S, T): how much of each value is taken."""
    scores, seen = _scores(query, key, mask, params)
    weights = functions.exp(scores - summed[..., None])
    return weights if seen is None else functions.where(seen, weights, 0.0)


def _slopes(args: Sequence[Value], params: Params) -> Value:
    """The cotangents of the scores, (batch, heads, S, T)."""
    query, key, value, mask, g, summed, product = args
    weights = _weights(query, key, mask, summed, params)
    by_weight = matmul(_wide(_grouped(g, key)), functions.matrix_transpose(_wide(value)))
    return weights * (_ungrouped(by_weight, query) - product[..., None])


def _by_score(args: Sequence[Value], params: Params) -> Value:
    """The same by what is scaled to the scores, grouped."""
    return _grouped(_slopes(args, params) * params["scale"], args[1])  # type: ignore[operator]


def _grouped(x: Value, key: Value) -> Value:
    """(batch, heads, S, n) as (batch, groups, heads / groups · S, n): the heads of a group in a column."""
    groups = key.shape[1]
    return functions.reshape(x, (x.shape[0], groups, x.shape[1] // groups * x.shape[2], x.shape[3]))


def _ungrouped(x: Value, query: Value) -> Value:
    return functions.reshape(x, (*query.shape[:3], x.shape[3]))


def _product(weights: Value, x: Value) -> Value:
    """The product with what is weighed, in the precision of that."""
    return matmul(weights, _wide(x)).astype(x.dtype)


def _wide(x: Value) -> Value:
    """Sums and scores are of f32 where arrays are of f16."""
    return x.astype(F32) if x.dtype == F16 else x

"""Scellis' side of the cases: what tfjs.js and jax.js are for the peers.

Every step is one call of a compiled graph, which ends when the device is done: a training reads its loss in
each step, as `compute` always gives it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from bench.peers.data import Array, digest, integers, uniform
from scellis.device.gpu import GpuDevice
from scellis.graph import ArrayType, Value, nn, trace
from scellis.graph import functions as xp
from scellis.graph.autodiff import gradient

CHECKED_ROWS = 8
BETA1, BETA2, EPSILON = 0.9, 0.999, 1e-8


class Mapped:
    """x becomes f(x), again and again."""

    def __init__(
        self, f: Callable[..., Value], shape: list[int], held: list[Array], scale: float, shift: float = 0.0
    ) -> None:
        types = {"x": ArrayType(tuple(shape), "f32")}
        types |= {f"held{place}": ArrayType(array.shape, "f32") for place, array in enumerate(held)}
        self._graph = trace(lambda **values: [f(*values.values())], **types)
        self._shape = shape
        self._held: list[Array | None] = list(held)
        self._numbers = (scale, shift)

    async def open(self, device: GpuDevice, tier: str) -> None:
        self._compiled = await device.compile(self._graph, tier, {0: 0})

    async def start(self, number: int) -> None:
        await self._compiled.compute([uniform(self._shape, 1000 + number, *self._numbers), *self._held])
        self._held = [None] * len(self._held)

    async def step(self) -> None:
        await self._compiled.compute([None, *self._held])

    async def end(self) -> Array:
        return await self._compiled.read(0)

    def found(self, result: Array) -> list[float]:
        rows = result.reshape(-1, result.shape[-1])
        return digest(result, CHECKED_ROWS * rows.shape[1])

    def close(self) -> None:
        self._compiled.close()


class Trained:
    """Adam on `parameters` (shape, seed, scale, shift) of the loss that `loss_of` computes."""

    def __init__(
        self,
        loss_of: Callable[[list[Value], list[Value]], Value],
        held: list[Array],
        *,
        rate: float,
        parameters: list[dict[str, Any]],
    ) -> None:
        values = [uniform(p["shape"], p["seed"], p["scale"], p["shift"]) for p in parameters]
        zeros = [np.zeros_like(value) for value in values]
        count, data = len(values), len(held)

        def step(**inputs: Value) -> list[Value]:
            """Source: D. P. Kingma, J. Ba, "Adam: a method for stochastic optimization", 2015."""
            every = list(inputs.values())
            given, (c1, c2), state = every[:data], every[data : data + 2], every[data + 2 :]
            values = state[:count]
            loss = loss_of(values, given)
            first, second, updated = [], [], []
            slopes = gradient(loss, values)
            for p, g, m, v in zip(values, slopes, state[count : 2 * count], state[2 * count :], strict=True):
                first.append(BETA1 * m + (1 - BETA1) * g)
                second.append(BETA2 * v + (1 - BETA2) * g * g)
                updated.append(p - rate * (first[-1] * c1) / (xp.sqrt(second[-1] * c2) + EPSILON))
            return [loss, *updated, *first, *second]

        one = np.ones((), np.float32)
        every = [*held, one, one, *values, *zeros, *zeros]
        names = {np.dtype(np.float32): "f32", np.dtype(np.int32): "i32"}
        types = {f"x{n}": ArrayType(array.shape, names[array.dtype]) for n, array in enumerate(every)}
        self.graph = trace(step, **types)
        self.carry = {place: place + data + 1 for place in range(1, 3 * count + 1)}
        self._held: list[Array | None] = list(held)
        self._state: list[Array | None] = [*values, *zeros, *zeros]
        self._steps = 0
        self._losses: list[float] = []

    async def open(self, device: GpuDevice, tier: str) -> None:
        self._compiled = await device.compile(self.graph, tier, self.carry)

    async def start(self, _: int) -> None:
        self._losses = []

    async def step(self) -> None:
        self._steps += 1
        corrections = [np.array(1 / (1 - beta**self._steps), np.float32) for beta in (BETA1, BETA2)]
        loss, *_ = await self._compiled.compute([*self._held, *corrections, *self._state])
        self._held, self._state = [None] * len(self._held), [None] * len(self._state)
        self._losses.append(float(np.asarray(loss)))

    async def end(self) -> None:
        """Each step has read its loss."""

    def found(self, _: Any) -> list[float]:
        return self._losses

    def close(self) -> None:
        self._compiled.close()


def matmul(*, shape: list[int]) -> Mapped:
    """x @ w, with w such that the numbers stay as large as they are."""
    return Mapped(xp.matmul, shape, [uniform(shape, 1, math.sqrt(3 / shape[0]))], 1.0)


def softmax(*, shape: list[int]) -> Mapped:
    """Over rows."""
    return Mapped(xp.softmax, shape, [], 4.0)


def layer_norm(*, shape: list[int]) -> Mapped:
    """Over rows, with gain and bias."""
    width = shape[-1:]
    return Mapped(nn.layer_norm, shape, [uniform(width, 1, 0.1, 1.0), uniform(width, 2, 0.1)], 1.0, 0.5)


def mlp(*, batch: int, inputs: int, classes: int, **training: Any) -> Trained:
    """Two layers and cross-entropy."""

    def loss_of(parameters: list[Value], data: list[Value]) -> Value:
        (w1, b1, w2, b2), (x, y) = parameters, data
        return xp.cross_entropy(xp.relu(x @ w1 + b1) @ w2 + b2, y)

    return Trained(loss_of, [uniform([batch, inputs], 1), integers(batch, 2, classes)], **training)


def attention(*, shape: list[int]) -> Mapped:
    """Causal, with x for the queries."""

    def attend(*values: Value) -> Value:
        return _attention(*(value[None] for value in values))[0]

    return Mapped(attend, shape, [uniform(shape, 1), uniform(shape, 2)], 1.0)


def _attention(q: Value, k: Value, v: Value) -> Value:
    return nn.scaled_dot_product_attention(q, k, v, is_causal=True)


def transformer(
    *, batch: int, length: int, width: int, heads: int, vocabulary: int, **training: Any
) -> Trained:
    """Blocks of attention and two layers, each behind a norm, between an embedding and a head."""
    rows = batch * length

    def apart(a: Value) -> Value:
        return xp.permute_dims(xp.reshape(a, (batch, length, heads, width // heads)), (0, 2, 1, 3))

    def block(h: Value, parameters: list[Value]) -> Value:
        gain1, bias1, wq, wk, wv, wo, gain2, bias2, w1, b1, w2, b2 = parameters
        a = nn.layer_norm(h, gain1, bias1)
        seen = _attention(*(apart(a @ w) for w in (wq, wk, wv)))
        h = h + xp.reshape(xp.permute_dims(seen, (0, 2, 1, 3)), (rows, width)) @ wo
        return h + (_gelu(nn.layer_norm(h, gain2, bias2) @ w1 + b1) @ w2 + b2)

    def loss_of(parameters: list[Value], data: list[Value]) -> Value:
        (embedding, position, *rest), (x, y) = parameters, data
        places = xp.reshape(xp.take(embedding, x), (batch, length, width)) + position
        h = xp.reshape(places, (rows, width))
        while len(rest) > 3:
            h, rest = block(h, rest[:12]), rest[12:]
        gain, bias, head = rest
        return xp.cross_entropy(nn.layer_norm(h, gain, bias) @ head, y)

    return Trained(loss_of, [integers(rows, seed, vocabulary) for seed in (1, 2)], **training)


def _gelu(x: Value) -> Value:
    """The approximation by tanh."""
    return x * 0.5 * (xp.tanh((x + x * x * x * 0.044715) * math.sqrt(2 / math.pi)) + 1.0)


CASES: dict[str, Callable[..., Mapped | Trained]] = {
    "matmul": matmul,
    "softmax": softmax,
    "layer_norm": layer_norm,
    "mlp": mlp,
    "attention": attention,
    "transformer": transformer,
}

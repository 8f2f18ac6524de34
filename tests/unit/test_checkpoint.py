"""What is computed again for a derivative: the same bits, in less memory."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from scellis.graph import ArrayType, Graph, Value, compute, nn, trace
from scellis.graph import functions as xp
from scellis.graph.autodiff import gradient, jvp
from scellis.graph.checkpoint import checkpoint
from scellis.graph.random import Generator
from scellis.graph.vmap import vmap
from scellis.kernels.explain import plan_as_text
from scellis.kernels.plan import plan_graph
from support.arrays import Array, computed, numbers

BATCH, WIDTH, HIDDEN, BLOCKS = 128, 32, 128, 16
LIMITS = {"maxStorageBuffersPerShaderStage": 8, "maxStorageBufferBindingSize": 2**27}

Block = Callable[..., Value]
Wrap = Callable[[Block], Block]


def _same(block: Block) -> Block:
    return block


def _deep(wrap: Wrap) -> Graph:
    """Loss and gradients of sixteen blocks with dropout: x, key, then the weights of each block."""

    def step(x: Value, key: Value, **weights: Value) -> list[Value]:
        values = list(weights.values())
        index = xp.zeros_like(key[0])

        def block(y: Value, w: Value, v: Value, place: int) -> Value:
            kept = Generator(key, index + place, "dropout").bernoulli(0.9, (BATCH, HIDDEN))
            return y + xp.where(kept, xp.gelu(nn.rms_norm(y) @ w), 0.0) @ v

        for place in range(BLOCKS):
            x = wrap(block)(x, values[2 * place], values[2 * place + 1], place)
        loss = xp.mean(x * x)
        return [loss, *gradient(loss, values)]

    types = {"x": ArrayType((BATCH, WIDTH), "f32"), "key": ArrayType((2,), "u32")}
    for place in range(BLOCKS):
        types[f"w{place}"] = ArrayType((WIDTH, HIDDEN), "f32")
        types[f"v{place}"] = ArrayType((HIDDEN, WIDTH), "f32")
    return trace(step, **types)


def _arrays() -> list[Array]:
    weights = [
        (numbers(shape, seed) * 0.1).astype(np.float32)
        for seed in range(BLOCKS)
        for shape in ((WIDTH, HIDDEN), (HIDDEN, WIDTH))
    ]
    return [numbers((BATCH, WIDTH), 99).astype(np.float32), np.array([3, 4], np.uint32), *weights]


def test_the_bits_are_the_same_with_random_arrays_too() -> None:
    plain, again = _deep(_same), _deep(checkpoint)
    arrays = _arrays()
    for first, second in zip(
        compute(plain, arrays, wide=False), compute(again, arrays, wide=False), strict=True
    ):
        assert first.tobytes() == second.tobytes()


def test_sixteen_blocks_keep_a_fifth_of_what_they_kept() -> None:
    """Beside inputs and outputs: a block has arrays of HIDDEN to keep, and one of WIDTH at its door."""
    kept = []
    for wrap in (_same, checkpoint):
        plan = plan_graph(_deep(wrap), LIMITS)
        given = {*plan.inputs, *plan.outputs}
        kept.append(sum(size for buffer, size in enumerate(plan.sizes) if buffer not in given))
    assert kept[1] * 5 < kept[0]


def test_what_is_computed_again_is_told() -> None:
    told = plan_as_text(plan_graph(_deep(checkpoint), LIMITS))
    assert told.count(" barrier") >= BLOCKS
    assert "barrier" not in plan_as_text(plan_graph(_deep(_same), LIMITS))


def test_of_two_checkpoints_within_each_other_the_outer_one_counts() -> None:
    def twice(x: Value) -> Value:
        return checkpoint(xp.exp)(checkpoint(xp.sin)(x) + x) * x

    def slopes(function: Block) -> Callable[[Value], list[Value]]:
        return lambda x: gradient(xp.sum(function(x)), [x])

    x = numbers((5,))
    expected = computed(slopes(lambda x: xp.exp(xp.sin(x) + x) * x), x)
    for function in (twice, checkpoint(twice)):
        np.testing.assert_allclose(computed(slopes(function), x), expected, rtol=1e-12)


@pytest.mark.parametrize("wrap", [_same, checkpoint])
def test_derivatives_of_derivatives_and_mapped_ones(wrap: Wrap) -> None:
    def slope(x: Value) -> Value:
        return gradient(xp.sum(wrap(lambda x: xp.sin(x) * x)(x)), [x])[0]

    x = numbers((3, 4))
    first = np.sin(x) + x * np.cos(x)
    second = 2 * np.cos(x) - x * np.sin(x)
    found = computed(
        lambda x: [
            vmap(slope)(x), gradient(xp.sum(slope(x)), [x])[0], *jvp([slope(x)], [x], [xp.ones_like(x)]),
        ],
        x,
    )  # fmt: skip
    for result, expected in zip(found, (first, second, second), strict=True):
        np.testing.assert_allclose(result, expected, rtol=1e-12)

"""What models are made of: against PyTorch's values, and by what must hold of each."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from scellis.errors import ScellisError
from scellis.graph import ArrayType, Graph, Value, compute, nn, trace
from scellis.graph import functions as xp
from scellis.graph.autodiff import gradient
from scellis.graph.convolution import Geometry
from scellis.graph.convolve import convolve
from scellis.graph.expand import expand
from scellis.graph.random import Generator
from scellis.kernels.plan import plan_graph
from scellis.rng.streams import Stream, draw_words, key_words
from support.array_cases import weighed
from support.arrays import Array, computed, numbers, one, traced
from support.nn_cases import NN

PYTORCH = json.loads((Path(__file__).parents[1] / "fixtures/pytorch.json").read_text())["cases"]


@pytest.mark.parametrize("name", NN)
def test_values_and_gradients_are_pytorch_s(name: str) -> None:
    function, arrays = NN[name]
    (value,) = computed(function, *arrays)
    slopes = computed(lambda *x: gradient(weighed(function)(*x), x), *arrays)
    expected = PYTORCH[name]
    assert np.allclose(value.ravel(), expected["value"], rtol=1e-7, atol=1e-7)
    for found, wanted in zip(slopes, expected["gradients"], strict=True):
        assert np.allclose(found.ravel(), wanted, rtol=1e-6, atol=1e-6)


def test_every_case_of_pytorch_is_ours() -> None:
    assert set(PYTORCH) == set(NN)


def _geometries() -> list[tuple[Geometry, tuple[int, ...], tuple[int, ...]]]:
    """Convolutions of all sorts, each with the shapes of input and weights."""
    rng = np.random.default_rng(20)
    found = []
    while len(found) < 60:
        n, groups, channels, each = (int(rng.integers(*ends)) for ends in ((1, 3), (1, 4), (1, 4), (1, 6)))
        lists = [
            tuple(int(k) for k in rng.integers(*ends, n)) for ends in ((1, 4), (0, 5), (0, 4), (1, 3), (1, 4))
        ]
        geometry = Geometry(*lists, groups)
        lengths, window = (tuple(int(k) for k in rng.integers(1, most, n)) for most in (9, 4))
        if min(geometry.windows(lengths, window)) >= 1:
            batch = int(rng.integers(1, 4))
            found.append((geometry, (batch, groups * channels, *lengths), (groups * each, channels, *window)))
    return found


@pytest.mark.parametrize(("geometry", "x", "w"), _geometries())
def test_a_convolution_is_linear_and_its_derivatives_are_its_transposes(
    geometry: Geometry, x: tuple[int, ...], w: tuple[int, ...]
) -> None:
    def function(a: Value, b: Value) -> Value:
        return convolve(a, b, geometry)

    inputs, weights = numbers(x), numbers(w, 2)
    graph = traced(function, inputs, weights)
    (value,) = compute(graph, [inputs, weights])
    (again,) = compute(expand(graph), [inputs, weights])
    assert np.allclose(value, again)
    other = numbers(value.shape, 3)
    slopes = traced(lambda a, b, c: gradient(xp.sum(function(a, b) * c), [a, b]), inputs, weights, other)
    for found in (
        compute(slopes, [inputs, weights, other]),
        compute(expand(slopes), [inputs, weights, other]),
    ):
        for place, slope in enumerate(found):
            arrays = [inputs, weights]
            arrays[place] = numbers(arrays[place].shape, 4)
            moved = np.sum(one(function, *arrays) * other)
            assert np.isclose(np.sum(slope * arrays[place]), moved)


def test_the_windows_of_a_convolution_are_never_stored() -> None:
    def loss(x: Value, w: Value) -> Value:
        return xp.sum(xp.square(nn.conv2d(x, w, padding=1)))

    graph = traced(
        lambda x, w: gradient(loss(x, w), [x, w]), numbers((4, 8, 12, 12)), numbers((8, 8, 3, 3), 2)
    )
    limits = {"maxStorageBuffersPerShaderStage": 8, "maxStorageBufferBindingSize": 2**27}
    plan = plan_graph(graph, limits)
    assert max(plan.sizes) == 4 * 4 * 8 * 12 * 12


def test_rotary_embedding_keeps_lengths_and_sees_distances_only() -> None:
    x, y = numbers((1, 8)), numbers((1, 8), 2)

    def turned(x: Value, y: Value) -> list[Value]:
        several = [xp.reshape(part, (1, 8)).broadcast_to((7, 8)) for part in (x, y)]
        a, b = (nn.rotary_embedding(part) for part in several)
        return [a @ xp.matrix_transpose(b), xp.sum(xp.square(a), -1)]

    products, lengths = computed(turned, x, y)
    for distance in range(-6, 7):
        diagonal = np.diagonal(products, distance)
        assert np.allclose(diagonal, diagonal[0])
    assert np.allclose(lengths, np.sum(x * x))
    assert np.isclose(products[3, 3], np.sum(x * y))


KEY = np.array(key_words(2**40 + 5), np.uint32)


def _drawing(
    function: Callable[[Generator, Value], Any], shape: tuple[int, ...], *indices: int
) -> list[list[Array]]:
    """What a function of a generator and an array of zeros gives at each index of its stream."""

    def program(key: Value, index: Value, x: Value) -> Any:
        return function(Generator(key, index, "dropout"), x)

    graph: Graph = trace(
        program, key=ArrayType((2,), "u32"), index=ArrayType((), "u32"), x=ArrayType(shape, "f32")
    )
    return [compute(graph, [KEY, np.array(index, np.uint32), np.zeros(shape)]) for index in indices]


def test_words_are_those_of_the_named_stream() -> None:
    (found,) = _drawing(lambda g, x: [*g.words((3, 5), 4), *g.words((15,))], (1,), 317)
    words = draw_words(Stream("dropout", 317), (int(KEY[0]), int(KEY[1])), 0, 15, 8)
    for array, expected in zip(found, words, strict=False):
        assert array.ravel().tolist() == expected.tolist()


def test_random_arrays_have_the_moments_of_what_they_are_called() -> None:
    shape = (200, 500)
    ((uniform, normal, truth, between),) = _drawing(
        lambda g, x: [
            g.uniform(shape), g.normal(shape), g.bernoulli(0.3, shape), g.uniform(shape, -1.0, 3.0),
        ],
        (1,), 7,
    )  # fmt: skip
    error = 5 / np.sqrt(uniform.size)
    assert abs(uniform.mean() - 0.5) < 0.3 * error
    assert 0 < uniform.min() < uniform.max() < 1
    assert abs(normal.mean()) < error
    assert abs(normal.std() - 1) < error
    assert abs(truth.mean() - 0.3) < 0.5 * error
    assert -1 < between.min() < between.max() < 3
    assert abs(np.corrcoef(uniform.ravel(), between.ravel())[0, 1]) < error


def test_masks_of_dropout_differ_by_layer_and_step_and_are_the_same_again() -> None:
    def layers(g: Generator, x: Value) -> list[Value]:
        return [nn.dropout(x + 1.0, 0.25, g), nn.dropout(x + 1.0, 0.25, g)]

    first, again, other = _drawing(layers, (100, 100), 1, 1, 2)
    assert np.array_equal(first[0], again[0])
    assert np.array_equal(first[1], again[1])
    assert not np.array_equal(first[0], first[1])
    assert not np.array_equal(first[0], other[0])
    assert np.allclose(np.unique(first[0]), [0.0, 1 / 0.75])
    assert abs(first[0].mean() - 1) < 0.03


def test_certain_chances_are_certain() -> None:
    ((never, always),) = _drawing(lambda g, x: [g.bernoulli(0.0, (500,)), g.bernoulli(1.0, (500,))], (1,), 0)
    assert not never.any()
    assert always.all()


IMAGE, SEQUENCE = numbers((2, 3, 4, 4)), numbers((2, 3, 4))

REFUSED: dict[str, tuple[str, Callable[..., Any], list[Array]]] = {
    "no image": ("SCL-GRAPH-SHAPE", nn.conv2d, [SEQUENCE, IMAGE]),
    "channels": ("SCL-GRAPH-SHAPE", nn.conv1d, [SEQUENCE, numbers((2, 4, 2))]),
    "a large window": ("SCL-GRAPH-SHAPE", nn.conv1d, [SEQUENCE, numbers((2, 3, 5))]),
    "types": ("SCL-GRAPH-DTYPE", lambda x: nn.conv1d(x.astype("f16"), x), [SEQUENCE]),
    "no step": ("SCL-GRAPH-SHAPE", lambda x: nn.max_pool1d(x, 2, 0), [numbers((2, 3, 4))]),
    "much padding": ("SCL-GRAPH-SHAPE", lambda x: nn.avg_pool1d(x, 2, padding=2), [numbers((2, 3, 4))]),
    "heads": (
        "SCL-GRAPH-SHAPE", nn.scaled_dot_product_attention,
        [numbers((1, 3, 4, 2)), numbers((1, 2, 4, 2)), numbers((1, 2, 4, 2))],
    ),
    "odd features": ("SCL-GRAPH-SHAPE", nn.rotary_embedding, [numbers((2, 3))]),
    "groups": ("SCL-GRAPH-SHAPE", lambda x: nn.group_norm(x, 2), [numbers((2, 3, 4))]),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_what_does_not_fit_is_refused(name: str) -> None:
    code, function, arrays = REFUSED[name]
    with pytest.raises(ScellisError, match=code):
        traced(function, *arrays)


def test_a_rate_of_dropout_is_a_chance() -> None:
    with pytest.raises(ScellisError, match="SCL-GRAPH-PARAMETER"):
        _drawing(lambda g, x: nn.dropout(x, 1.0, g), (2,), 0)
    with pytest.raises(ScellisError, match="SCL-GRAPH-PARAMETER"):
        _drawing(lambda g, x: g.bernoulli(1.5, (2,)), (2,), 0)

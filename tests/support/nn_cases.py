"""Functions of `graph.nn` with the arrays they are tried on, on every device and against PyTorch's values."""

from __future__ import annotations

from collections.abc import Callable

from scellis.graph import Value, nn
from scellis.graph import functions as xp
from support.arrays import Array, numbers

Function = Callable[..., Value]

IMAGES = numbers((2, 4, 7, 6))
SIGNAL = numbers((3, 4, 11))
QUERY, KEY, VALUE = numbers((2, 4, 6, 8)), numbers((2, 2, 5, 8), 2), numbers((2, 2, 5, 3), 3)
WEIGHTS = numbers((6, 4, 3, 2), 2)


def _labels(x: Value) -> Value:
    return xp.argmax(x * 3.7, 1)


NN: dict[str, tuple[Function, list[Array]]] = {
    "conv1d": (
        lambda x, w, b: nn.conv1d(x, w, b, stride=2, padding=1),
        [SIGNAL, numbers((6, 4, 3), 2), numbers((6,), 3)],
    ),
    "conv1d, dilated": (lambda x, w: nn.conv1d(x, w, dilation=3, padding=2), [SIGNAL, numbers((5, 4, 3), 2)]),
    "conv2d": (lambda x, w, b: nn.conv2d(x, w, b, padding=(1, 0)), [IMAGES, WEIGHTS, numbers((6,), 3)]),
    "conv2d, strided": (
        lambda x, w: nn.conv2d(x, w, stride=(2, 3), padding=(2, 1), dilation=(2, 1)), [IMAGES, WEIGHTS],
    ),
    "conv2d, grouped": (lambda x, w: nn.conv2d(x, w, groups=2), [IMAGES, numbers((8, 2, 2, 2), 2)]),
    "conv2d, depthwise": (
        lambda x, w: nn.conv2d(x, w, groups=4, padding=1), [IMAGES, numbers((4, 1, 3, 3), 2)],
    ),
    "conv_transpose1d": (
        lambda x, w: nn.conv_transpose1d(x, w, stride=3, padding=1, output_padding=1),
        [SIGNAL, numbers((4, 5, 4), 2)],
    ),
    "conv_transpose2d": (
        lambda x, w, b: nn.conv_transpose2d(x, w, b, stride=2, padding=1, groups=2, dilation=(1, 2)),
        [IMAGES, numbers((4, 3, 3, 2), 2), numbers((6,), 3)],
    ),
    "max_pool1d": (lambda x: nn.max_pool1d(x, 3, 2), [SIGNAL]),
    "max_pool2d": (lambda x: nn.max_pool2d(x, 2), [IMAGES]),
    "max_pool2d, overlapping": (lambda x: nn.max_pool2d(x, 3, 2, padding=1), [IMAGES]),
    "avg_pool1d": (lambda x: nn.avg_pool1d(x, 4, 3, padding=2), [SIGNAL]),
    "avg_pool2d": (lambda x: nn.avg_pool2d(x, (3, 2), 2, padding=1), [IMAGES]),
    "sigmoid": (nn.sigmoid, [SIGNAL]),
    "silu": (nn.silu, [SIGNAL]),
    "leaky_relu": (lambda x: nn.leaky_relu(x, 0.2), [SIGNAL]),
    "elu": (lambda x: nn.elu(x, 1.5), [SIGNAL]),
    "softmax": (lambda x: xp.softmax(x, 1), [SIGNAL]),
    "log_softmax": (xp.log_softmax, [SIGNAL]),
    "layer_norm": (
        lambda x, w, b: nn.layer_norm(x, w, b, axes=2), [SIGNAL, numbers((4, 11), 2), numbers((4, 11), 3)],
    ),
    "rms_norm": (lambda x, w: nn.rms_norm(x, w, eps=1e-5), [SIGNAL, numbers((11,), 2)]),
    "group_norm": (lambda x, w, b: nn.group_norm(x, 2, w, b), [IMAGES, numbers((4,), 2), numbers((4,), 3)]),
    "batch_norm": (lambda x, w, b: nn.batch_norm(x, w, b)[0], [IMAGES, numbers((4,), 2), numbers((4,), 3)]),
    "cross_entropy": (lambda x: xp.cross_entropy(x, _labels(x), label_smoothing=0.1), [numbers((7, 5))]),
    "embedding": (lambda w: nn.embedding(xp.iota(w, (2, 3), 1) * 2, w), [numbers((6, 4))]),
    "attention": (nn.scaled_dot_product_attention, [QUERY, KEY, VALUE]),
    "attention, causal": (
        lambda q, k, v: nn.scaled_dot_product_attention(q, k, v, is_causal=True, scale=0.3),
        [QUERY, KEY, VALUE],
    ),
    "attention, masked": (
        lambda q, k, v, m: nn.scaled_dot_product_attention(q, k, v, m),
        [QUERY, KEY, VALUE, numbers((6, 5), 4)],
    ),
    "attention, hidden": (
        lambda q, k, v: nn.scaled_dot_product_attention(q, k, v, xp.iota(q, (6, 5), 1) != 3),
        [QUERY, KEY, VALUE],
    ),
}  # fmt: skip
"""Those that PyTorch has under the same name; tests/fixtures/pytorch.py computes each with it."""

OURS: dict[str, tuple[Function, list[Array]]] = {
    "rotary_embedding": (nn.rotary_embedding, [numbers((2, 5, 6))]),
    "batch_norm, evaluated": (
        lambda x, m, v: nn.batch_norm(x, statistics=(m, v))[0],
        [IMAGES, numbers((4,), 2), numbers((4,), 3, 0.5, 2.0)],
    ),
}  # fmt: skip

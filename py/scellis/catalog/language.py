"""The words that catalog entries are written with: all that their text can reach.

    from scellis.catalog.language import number, xp

`xp` has the functions of the Array API standard and what models need beside them, `nn` the layers of
`scellis.graph.nn`, `math` functions of plain numbers; `number`, `integer`, `boolean`, `choice`, `text` and
`integers` describe fields; `refuse("why")` says that fields do not go together; `paired` gives a
prediction and its target one shape.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any, NoReturn

from scellis.catalog.fields import boolean, choice, integer, integers, number, text
from scellis.catalog.interpreter import Namespace, Word
from scellis.errors import ScellisError
from scellis.graph import array_api, functions, nn, sorting
from scellis.graph.trace import Value

__all__ = [
    "boolean", "choice", "integer", "integers", "math", "nn", "number", "paired", "refuse", "text", "xp",
]  # fmt: skip

xp = array_api

_BESIDES = (
    "relu", "sigmoid", "gelu", "logsumexp", "softmax", "log_softmax", "one_hot", "cross_entropy",
    "stop_gradient", "pad", "erf", "lgamma",
)  # fmt: skip
"""Functions of arrays beside the standard's."""
_SORTING = ("sort", "argsort", "take_along_axis", "searchsorted")
_MATH = (
    "acos", "asin", "atan", "ceil", "cos", "erf", "exp", "expm1", "floor", "gcd", "isfinite", "isqrt",
    "lgamma", "log", "log10", "log1p", "log2", "prod", "sin", "sqrt", "tan", "tanh", "pi", "e", "inf",
)  # fmt: skip
_NN = (
    "avg_pool1d", "avg_pool2d", "batch_norm", "conv1d", "conv2d", "conv_transpose1d", "conv_transpose2d",
    "elu", "embedding", "group_norm", "layer_norm", "leaky_relu", "max_pool1d", "max_pool2d", "rms_norm",
    "rotary_embedding", "scaled_dot_product_attention", "silu",
)  # fmt: skip
_UNLIKE = {"asarray", "isdtype", "result_type", "can_cast", "finfo", "iinfo"}
"""Of the standard what is not for entries: arrays of Python's lists, and questions about types."""


def refuse(message: str) -> NoReturn:
    """Say that what was given does not go together. Raises `SCL-CATALOG-REFUSED`."""
    raise ScellisError("SCL-CATALOG-REFUSED", str(message)[:300])


def paired(prediction: Value, target: Value) -> tuple[Value, Value]:
    """A prediction and its target, a number of the one for each of the other: (batch, …) of one type.

    A last axis of length 1 of the prediction, as that of a layer of one output, is left out where the target
    has none. Raises `SCL-CATALOG-REFUSED` for other shapes: they would broadcast to pairs that nobody meant.
    """
    if prediction.shape == (*target.shape, 1):
        prediction = functions.squeeze(prediction, -1)
    if prediction.shape != target.shape:
        raise ScellisError(
            "SCL-CATALOG-REFUSED",
            f"A prediction {prediction.type} and a target {target.type} are not of one shape.",
            "Give the last layer as many outputs as the target has numbers.",
        )
    return prediction, target.astype(prediction.dtype)


def namespace(name: str, *sources: tuple[ModuleType, tuple[str, ...]]) -> Namespace:
    """Names of modules as words."""
    return Namespace(
        name, {word: _as_word(word, getattr(module, word)) for module, words in sources for word in words}
    )


def _as_word(name: str, found: Any) -> Any:
    return Word(name, found) if callable(found) else found


def _standard() -> tuple[str, ...]:
    return tuple(
        name
        for name, found in vars(array_api).items()
        if name.islower()
        and not name.startswith("_")
        and name not in _UNLIKE
        and (inspect.isfunction(found) or isinstance(found, (int, float, str)) or found is None)
        and getattr(found, "__module__", "scellis").startswith("scellis")
    )


def _word(function: Callable[..., Any]) -> Word:
    return Word(function.__name__, function)


WORDS: Mapping[str, Any] = {
    "xp": namespace(
        "xp",
        (array_api, _standard()),
        (functions, _BESIDES),
        (sorting, _SORTING),
    ),
    "nn": namespace("nn", (nn, _NN)),
    "math": namespace("math", (math, _MATH)),
    **{
        word.__name__: _word(word)
        for word in (number, integer, integers, boolean, choice, text, paired, refuse)
    },
}

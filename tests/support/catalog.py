"""Entries of the catalog, traced and computed by the oracle."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from scellis.catalog.interpreter import Namespace
from scellis.catalog.library import Library, built_in
from scellis.catalog.model import INPUT, Begun, Given, Layer, Model
from scellis.catalog.scope import draws
from scellis.graph import ArrayType, Graph, Value, compute, trace
from scellis.graph.autodiff import gradient
from scellis.graph.random import Generator
from support.array_cases import weighed
from support.arrays import NAMES, Array, computed

SEED = np.array([7, 11], np.uint32)
INDEX = np.uint32(3)
KEY = {"key": ArrayType((2,), "u32"), "index": ArrayType((), "u32")}

Fields = Mapping[str, Any]
Computation = tuple[Graph, list[Array]]
"""A graph and its inputs."""


def called(kind: str, id_: str, function: str, *args: Any, fields: Fields | None = None) -> Any:
    """A function of a built-in entry."""
    entry = built_in().get(id_, kind)
    return entry.call(function, *args, fields=entry.read(fields or {}))


def random_of(key: Value, index: Value, family: str) -> Namespace:
    """What entries draw from."""
    return draws(Generator(key, index, family))


# ---- models ----


def model_of(id_: str, fields: Fields | None = None) -> Model:
    """One built-in layer as a model."""
    return Model((Layer("it", id_, dict(fields or {}), (INPUT,)),), built_in())


def begun(model: Model, x: Array) -> tuple[dict[str, Array], dict[str, Array]]:
    """The parameters of a model as they begin, and what it keeps besides."""
    arrays = Begun()

    def initial(key: Value, index: Value, given: Value) -> list[Value]:
        generator = Generator(key, index, "init")
        found = model.apply(given, arrays, generator=None, initial_generator=lambda: generator)
        return [*arrays.parameters.values(), *arrays.states.values(), found]

    found = compute(trace(initial, **KEY, given=_type(x)), [SEED, INDEX, x])
    count = len(arrays.parameters)
    return (
        dict(zip(arrays.parameters, found[:count], strict=True)),
        dict(zip(arrays.states, found[count:-1], strict=True)),
    )


def applied(
    model: Model,
    x: Array,
    parameters: Mapping[str, Array],
    states: Mapping[str, Array] | None = None,
    *,
    training: bool = False,
) -> tuple[Array, dict[str, Array]]:
    """What a model makes of an input, and what it keeps afterwards."""
    output, *after = compute(*applying(model, x, parameters, states, training=training))
    return output, dict(zip(states or {}, after, strict=True))


def applying(
    model: Model,
    x: Array,
    parameters: Mapping[str, Array],
    states: Mapping[str, Array] | None = None,
    *,
    training: bool = False,
    slopes: bool = False,
) -> Computation:
    """The graph of that, with what it is given; its last outputs are the `slopes` by the parameters."""
    kept = dict(states or {})

    def step(key: Value, index: Value, given: Value, **values: Value) -> list[Value]:
        arrays = Given(
            {path: values[f"p{n}"] for n, path in enumerate(parameters)},
            {path: values[f"s{n}"] for n, path in enumerate(kept)},
        )
        generator = Generator(key, index, "dropout") if training else None
        found = model.apply(given, arrays, generator=generator)
        own = [values[f"p{n}"] for n in range(len(parameters))]
        by_own = gradient(weighed(lambda: found)(), own) if slopes and own else []
        return [found, *arrays.after.values(), *by_own]

    types = {f"p{n}": _type(array) for n, array in enumerate(parameters.values())}
    types |= {f"s{n}": _type(array) for n, array in enumerate(kept.values())}
    graph = trace(step, **KEY, given=_type(x), **types)
    return graph, [SEED, INDEX, x, *parameters.values(), *kept.values()]


def _type(array: Array) -> ArrayType:
    return ArrayType(array.shape, NAMES[array.dtype])


# ---- optimizers ----

Loss = Callable[..., Value]


class Descent:
    """An optimizer at work on some parameters, in f32 as a device computes."""

    def __init__(
        self, loss: Loss, parameters: list[Array], id_: str, fields: Fields, library: Library | None = None
    ) -> None:
        self._entry = (library or built_in()).get(id_, "optimizer")
        self._fields = self._entry.read(fields)
        self._loss = loss
        self.parameters = [array.astype(np.float32) for array in parameters]
        self.states = self._begun()
        self.graph = self._traced()
        self.steps = 0

    def step(self, lr: float | None = None) -> float:
        """One step; gives the loss before it."""
        self.steps += 1
        loss, *found = compute(self.graph, self.given(lr), wide=False)
        count = len(self.parameters)
        self.parameters, rest = found[:count], iter(found[count:])
        self.states = [{name: next(rest) for name in state} for state in self.states]
        return float(loss)

    def given(self, lr: float | None = None) -> list[Array]:
        """What the graph of a step is given."""
        rate = self._fields["lr"] if lr is None else lr
        kept = [array for state in self.states for array in state.values()]
        return [np.float32(self.steps), np.float32(rate), *self.parameters, *kept]

    def _begun(self) -> list[dict[str, Array]]:
        found = []
        for parameter in self.parameters:
            names: list[str] = []

            def begin(p: Value, names: list[str] = names) -> list[Value]:
                state = self._entry.call("state", p, fields=self._fields)
                names += state
                return [p, *state.values()]

            _, *arrays = compute(trace(begin, p=_type(parameter)), [parameter], wide=False)
            found.append(dict(zip(names, arrays, strict=True)))
        return found

    def _traced(self) -> Graph:
        types = {f"p{n}": _type(array) for n, array in enumerate(self.parameters)}
        for n, state in enumerate(self.states):
            types |= {f"s{n}_{name}": _type(array) for name, array in state.items()}

        def step(step: Value, lr: Value, **values: Value) -> list[Value]:
            parameters = [values[f"p{n}"] for n in range(len(self.parameters))]
            loss = self._loss(*parameters)
            after, states = [], []
            for n, slope in enumerate(gradient(loss, parameters)):
                state = {name: values[f"s{n}_{name}"] for name in self.states[n]}
                moved, kept = self._entry.call(
                    "update", parameters[n], slope, state, step, lr, fields=self._fields
                )
                assert list(kept) == list(state)
                after.append(moved)
                states += list(kept.values())
            return [loss, *after, *states]

        scalar = ArrayType((), "f32")
        return trace(step, step=scalar, lr=scalar, **types)


# ---- functions of arrays alone ----


def loss_of(id_: str, prediction: Array, target: Array, fields: Fields | None = None) -> Array:
    """What a built-in loss finds of each example."""
    (found,) = computed(lambda p, t: called("loss", id_, "loss", p, t, fields=fields), prediction, target)
    return found


def measured(id_: str, prediction: Array, target: Array, fields: Fields | None = None) -> Array:
    """What a built-in metric finds of each example."""
    (found,) = computed(
        lambda p, t: called("metric", id_, "measure", p, t, fields=fields), prediction, target
    )
    return found


def initialized(id_: str, shape: tuple[int, ...], fans: tuple[int, int], fields: Fields) -> Array:
    """What a built-in initializer gives, in f32."""
    return compute(*initializing(id_, shape, fans, fields), wide=False)[0]


def initializing(id_: str, shape: tuple[int, ...], fans: tuple[int, int], fields: Fields) -> Computation:
    """The graph of that, with what it is given."""

    def values(key: Value, index: Value) -> Value:
        return called("initializer", id_, "values", shape, fans, random_of(key, index, "init"), fields=fields)

    return trace(values, **KEY), [SEED, INDEX]


def augmented(id_: str, x: Array, fields: Fields | None = None) -> Array:
    """What a built-in augmentation makes of a batch."""
    return compute(*augmenting(id_, x, fields))[0]


def augmenting(id_: str, x: Array, fields: Fields | None = None) -> Computation:
    """The graph of that, with what it is given."""

    def augment(key: Value, index: Value, given: Value) -> Value:
        random = random_of(key, index, "augment")
        return called("augmentation", id_, "augment", given, random, fields=fields)

    return trace(augment, **KEY, given=_type(x)), [SEED, INDEX, x]

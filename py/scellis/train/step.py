"""A training step as one graph: forward, backward, update, and what is decided on the device itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import attrs
import numpy as np

from scellis.catalog.model import Begun, Given
from scellis.catalog.scope import draws
from scellis.errors import ScellisError
from scellis.graph import ArrayType, Graph, Value, compute, trace
from scellis.graph import array_api as xp
from scellis.graph.autodiff import vjp
from scellis.graph.loss_scale import INITIAL_SCALE, LossScaler
from scellis.graph.mixed import apply_precision
from scellis.graph.movement import NUMPY_TYPES
from scellis.graph.op import Array
from scellis.graph.random import Generator
from scellis.rng import key_words
from scellis.sml.training import TrainingRecord, Use

CLIP_EPSILON = 1e-6
"""Added to the norm of gradients by which they are divided: PyTorch's clip_grad_norm_."""

GIVEN = ("x", "y", "lr", "index", "key")
PARTS = ("first", "last")
"""Inputs of a step that is accumulated over parts: whether this part is the first, the last of it, () i32."""


@attrs.frozen(eq=False)
class Step:
    """The graph of a step. `carry` says which outputs are inputs of the next; `reports` names the others."""

    graph: Graph
    inputs: tuple[str, ...]
    reports: tuple[str, ...]
    carry: Mapping[int, int]

    @property
    def kept(self) -> list[bool]:
        """Of each input whether it stays from step to step."""
        return [place in self.carry.values() for place in range(len(self.inputs))]


@attrs.frozen
class Types:
    """Types of a batch's input and target."""

    x: ArrayType
    y: ArrayType

    @classmethod
    def of(cls, batch_size: int, examples: Sequence[tuple[tuple[int, ...], str]]) -> Types:
        """From those of one example."""
        x, y = (ArrayType((batch_size, *shape), dtype) for shape, dtype in examples)
        return cls(x, y)


def key_array(seed: int) -> Array:
    """A root seed as graphs take it, (2,) u32."""
    return np.array(key_words(seed), np.uint32)


@attrs.frozen(eq=False)
class Beginning:
    """The state that a training begins with: parameters, what layers and the optimizer keep, by their paths.

    `types` are those of its arrays; the graph computes those that are no mere numbers, `names`.
    """

    graph: Graph
    names: tuple[str, ...]
    types: Mapping[str, ArrayType]

    def compute(self, seed: int) -> dict[str, Array]:
        """The arrays, by the oracle: they have the same bits whatever the training runs on."""
        x = self.graph.types[self.graph.inputs[1]]
        given = [key_array(seed), np.zeros(x.shape, NUMPY_TYPES[x.dtype])]
        found = dict(zip(self.names, compute(self.graph, given), strict=True))
        zeros = {name: np.zeros(type_.shape) for name, type_ in self.types.items() if name not in found}
        begun = {**found, **zeros, "scaler/scale": np.array(INITIAL_SCALE)}
        return {name: begun[name].astype(NUMPY_TYPES[type_.dtype]) for name, type_ in self.types.items()}


def begin(record: TrainingRecord, types: Types) -> dict[str, Array]:
    """The arrays of `beginning`."""
    return beginning(record, types).compute(record.seed)


def beginning(record: TrainingRecord, types: Types) -> Beginning:
    """What a training begins with. Raises what its layers raise where they do not fit one another."""
    optimizer = record.entry(record.optimizer, "optimizer")
    names: list[str] = []
    trained: list[str] = []

    def started(key: Value, x: Value) -> list[Value]:
        begun = Begun()
        index = -1

        def generator() -> Generator:
            nonlocal index
            index += 1
            return Generator(key, xp.full((), index, dtype="u32"), "init")

        record.network.apply(
            x,
            begun,
            generator=Generator(key, xp.full((), 0, dtype="u32"), "dropout"),
            initial_generator=generator,
        )
        arrays = {f"parameter/{path}": value for path, value in begun.parameters.items()}
        trained.extend(path for path in begun.parameters if not record.network.is_frozen(path))
        if not trained:
            raise ScellisError(
                "SCL-TRAIN-PARAMETERS",
                "The model has no parameter to train.",
                "Add a layer that is not frozen.",
            )
        for path in trained:
            slots = optimizer.call("state", begun.parameters[path], fields=record.optimizer.fields)
            arrays |= {f"optimizer/{path}/{slot}": array for slot, array in slots.items()}
        arrays |= {f"model/{path}": value for path, value in begun.states.items()}
        names.extend(arrays)
        return list(arrays.values())

    graph = trace(started, key=ArrayType((2,), "u32"), x=types.x)
    state = {name: graph.types[node] for name, node in zip(names, graph.outputs, strict=True)}
    if record.accumulate > 1:
        state |= {f"accumulated/{path}": state[f"parameter/{path}"] for path in trained}
    if record.loss_scaling == "dynamic":
        state |= {"scaler/scale": ArrayType((), "f32"), "scaler/steps": ArrayType((), "i32")}
    state["updates"] = ArrayType((), "i32")
    return Beginning(graph, tuple(names), state)


def training_step(record: TrainingRecord, types: Types, state: Mapping[str, ArrayType]) -> Step:
    """The graph of a step, for a state of these types."""
    given = {
        "x": types.x, "y": types.y, "lr": ArrayType((), "f32"), "index": ArrayType((), "u32"),
        "key": ArrayType((2,), "u32"),
    }  # fmt: skip
    if record.accumulate > 1:
        given |= dict.fromkeys(PARTS, ArrayType((), "i32"))
    inputs = {**given, **state}
    reports: list[str] = []

    def traced(**values: Value) -> list[Value]:
        work = _Work(record, values)
        found = work.report()
        reports.extend(found)
        return [*found.values(), *(work.after[name] for name in state)]

    graph = apply_precision(trace(traced, **inputs), record.precision)
    carry = {len(reports) + place: len(given) + place for place in range(len(state))}
    return Step(graph, tuple(inputs), tuple(reports), carry)


class _Work:
    """One step, traced: `after` is the state after it."""

    def __init__(self, record: TrainingRecord, values: Mapping[str, Value]) -> None:
        self._record = record
        self._values = values
        self._parameters = _under(values, "parameter/")
        self._trained = [path for path in self._parameters if not record.network.is_frozen(path)]
        self.after = dict(values)

    def report(self) -> dict[str, Value]:
        """What the step gives back."""
        record, values = self._record, self._values
        loss = self._loss()
        trained = [self._parameters[path] for path in self._trained]
        scaler = (
            LossScaler(values["scaler/scale"], values["scaler/steps"]) if "scaler/scale" in values else None
        )
        if scaler:
            slopes = [slope * (1.0 / scaler.scale) for slope in vjp([loss], [scaler.scale], trained)]
        else:
            slopes = vjp([loss], [xp.ones_like(loss)], trained)
        last = None
        if record.accumulate > 1:
            slopes = self._accumulated(slopes)
            last = values["last"] != 0
        found = {"loss": loss}
        if record.max_norm is not None:
            norm = xp.sqrt(_total([xp.sum(slope * slope) for slope in slopes]))
            factor = xp.minimum(record.max_norm / (norm + CLIP_EPSILON), 1.0)
            slopes = [slope * factor for slope in slopes]
            found["gradient_norm"] = norm
        held = last
        if scaler:
            finite = _finite(slopes)
            held = finite if last is None else finite & last
            found |= {"finite": finite.astype("i32"), "loss_scale": scaler.scale}
            for name in _under(values, "model/"):  # what overflowed is not remembered either
                self._keep(f"model/{name}", self.after[f"model/{name}"], finite)
            for name, value in zip(("scaler/scale", "scaler/steps"), scaler.update(finite), strict=True):
                self.after[name] = value if last is None else xp.where(last, value, values[name])
        self._update(slopes, held)
        return found

    def _loss(self) -> Value:
        record, values = self._record, self._values
        x = values["x"]
        augment = Generator(values["key"], values["index"], "augment")
        for use in record.data.augment:
            entry = record.entry(use, "augmentation")
            x = entry.call("augment", x, draws(augment), fields=use.fields)
        arrays = Given(self._parameters, _under(values, "model/"))
        dropout = Generator(values["key"], values["index"], "dropout")
        prediction = record.network.apply(x, arrays, generator=dropout)
        self.after |= {f"model/{path}": value for path, value in arrays.after.items()}
        return xp.mean(_losses(record, prediction, values["y"]))

    def _accumulated(self, slopes: Sequence[Value]) -> list[Value]:
        """The mean of the gradients of the step's parts so far."""
        first = self._values["first"] != 0
        found = []
        for path, slope in zip(self._trained, slopes, strict=True):
            name = f"accumulated/{path}"
            before = xp.where(first, 0.0, self._values[name])
            self.after[name] = before + slope * (1.0 / self._record.accumulate)
            found.append(self.after[name])
        return found

    def _update(self, slopes: Sequence[Value], held: Value | None) -> None:
        """The parameters after the step, or as they were where `held` is false."""
        values, use = self._values, self._record.optimizer
        entry = self._record.entry(use, "optimizer")
        updates = values["updates"] + 1
        step = updates.astype("f32")
        self._keep("updates", updates, held)
        for path, slope in zip(self._trained, slopes, strict=True):
            slots = _under(values, f"optimizer/{path}/")
            parameter = self._parameters[path]
            after, state = entry.call(
                "update", parameter, slope, slots, step, values["lr"], fields=use.fields
            )
            if set(state) != set(slots):
                raise ScellisError(
                    "SCL-TRAIN-OPTIMIZER", f"{use.id} keeps {set(state)}, and began with {set(slots)}."
                )
            self._keep(f"parameter/{path}", after, held)
            for slot, value in state.items():
                self._keep(f"optimizer/{path}/{slot}", value, held)

    def _keep(self, name: str, after: Value, held: Value | None) -> None:
        before = self._values[name]
        if after.type != before.type:
            raise ScellisError(
                "SCL-TRAIN-OPTIMIZER", f"{name} was {before.type} and would become {after.type}."
            )
        self.after[name] = after if held is None else xp.where(held, after, before)


@attrs.frozen(eq=False)
class Measure:
    """The graph that measures a batch, and the names of its inputs.

    x, y, weight (batch,) f32, parameters and what layers keep → of the loss and each metric how many elements
    count, and the sum over these.
    """

    graph: Graph
    inputs: tuple[str, ...]
    classes: Any
    """where the loss takes the numbers of classes, how many the model tells apart"""

    @property
    def kept(self) -> list[bool]:
        """Of each input whether it is part of a training's state."""
        return ["/" in name for name in self.inputs]


def evaluation(record: TrainingRecord, types: Types, state: Mapping[str, ArrayType]) -> Measure:
    """The graph that measures a batch by what is learnt so far, for a state of these types."""
    kept = {name: type_ for name, type_ in state.items() if name.startswith(("parameter/", "model/"))}
    inputs = {"x": types.x, "y": types.y, "weight": ArrayType((types.x.shape[0],), "f32"), **kept}
    loss = record.entry(record.loss, "loss")
    classes: Any = None

    def traced(**values: Value) -> list[Value]:
        nonlocal classes
        arrays = Given(_under(values, "parameter/"), _under(values, "model/"))
        prediction = record.network.apply(values["x"], arrays, generator=None)
        if "classes" in loss.module:
            classes = loss.call("classes", prediction, fields=record.loss.fields)
        found = [_losses(record, prediction, values["y"])]
        for use in record.metrics:
            entry = record.entry(use, "metric")
            found.append(
                _per_example(use, entry.call("measure", prediction, values["y"], fields=use.fields), types)
            )
        results = []
        for measured in found:
            weight = xp.reshape(values["weight"], (-1, *(1,) * (measured.ndim - 1)))
            results += [xp.sum(weight) * (measured.size // measured.shape[0]), xp.sum(measured * weight)]
        return results

    graph = trace(traced, **inputs)
    return Measure(graph, tuple(inputs), classes)


def _losses(record: TrainingRecord, prediction: Value, target: Value) -> Value:
    use = record.loss
    found = record.entry(use, "loss").call("loss", prediction, target, fields=use.fields)
    return _per_example(use, found, Types(prediction.type, target.type))


def _per_example(use: Use, found: Any, types: Types) -> Value:
    """What a loss or a metric gives, checked: an array of a batch's length."""
    if not isinstance(found, Value) or found.shape[:1] != types.x.shape[:1]:
        raise ScellisError(
            "SCL-TRAIN-MEASURE",
            f"{use.id} gives {getattr(found, 'type', 'no array')} for a batch of {types.x.shape[0]}.",
            "It returns a number for each example, or for each place of each.",
        )
    return found.astype("f32")


def _under(values: Mapping[str, Any], prefix: str) -> dict[str, Any]:
    return {name.removeprefix(prefix): value for name, value in values.items() if name.startswith(prefix)}


def _total(values: Sequence[Value]) -> Value:
    found = values[0]
    for value in values[1:]:
        found = found + value
    return found


def _finite(values: Sequence[Value]) -> Value:
    found = xp.all(xp.isfinite(values[0]))
    for value in values[1:]:
        found = found & xp.all(xp.isfinite(value))
    return found

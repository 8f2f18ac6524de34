"""A model: layers of the catalog, wired to one another."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import attrs

from scellis.catalog.fields import FieldValue
from scellis.catalog.library import Library
from scellis.catalog.scope import Arrays, Initial, Scope
from scellis.errors import ScellisError
from scellis.graph.random import Generator
from scellis.graph.trace import Value

INPUT = "input"
"""What layers call the model's input."""


@attrs.frozen
class Layer:
    """One layer of a model: `of` names what it reads, `repeat` how many of it follow one another."""

    name: str
    id: str
    fields: Mapping[str, FieldValue]
    of: tuple[str, ...]
    repeat: int = 1
    frozen: bool = False

    @property
    def names(self) -> list[str]:
        """What the paths of its arrays begin with: its name, numbered where it is repeated."""
        return [self.name] if self.repeat == 1 else [f"{self.name}_{turn}" for turn in range(self.repeat)]


class Given:
    """A model's arrays, where all are known: `state` is added to as layers set it."""

    def __init__(self, parameters: Mapping[str, Value], state: Mapping[str, Value]) -> None:
        self._parameters = parameters
        self._state = dict(state)
        self.after = dict(state)

    def parameter(self, path: str, shape: Sequence[int], initial: Initial) -> Value:
        return self._parameters[path]

    def state(self, path: str, initial: Initial) -> Value:
        return self._state[path]

    def set(self, path: str, value: Value) -> None:
        if path not in self.after or value.type != self.after[path].type:
            raise ScellisError(
                "SCL-CATALOG-STATE", f"{path} is no array of {value.type} that the layer keeps."
            )
        self.after[path] = value


class Begun:
    """A model's arrays as they begin, in the order in which layers ask for them."""

    def __init__(self) -> None:
        self.parameters: dict[str, Value] = {}
        self.states: dict[str, Value] = {}

    def parameter(self, path: str, shape: Sequence[int], initial: Initial) -> Value:
        if path not in self.parameters:
            self.parameters[path] = initial()
        return self.parameters[path]

    def state(self, path: str, initial: Initial) -> Value:
        if path not in self.states:
            self.states[path] = initial()
        return self.states[path]

    def set(self, path: str, value: Value) -> None:
        """Nothing yet."""


@attrs.frozen
class Model:
    """Layers in an order in which each reads only what is before it. The last one's array is the output.

    `rematerialise` so many in a row: of these only what others read is kept for the gradients, and the rest
    computed again, in the same bits (`graph.checkpoint`). The last ones are needed at once and stay.
    """

    layers: tuple[Layer, ...]
    library: Library
    rematerialise: int | None = None

    def apply(
        self,
        x: Value,
        arrays: Arrays,
        *,
        generator: Generator | None,
        initial_generator: Callable[[], Generator] | None = None,
    ) -> Value:
        """The output for an input; `generator` draws while it is trained, None is for what it has learnt."""
        top = Scope("", self.library, arrays, initial_generator or _none, generator)
        values: dict[str, Any] = {INPUT: x}
        found = x
        done, start = 0, len(x.builder.nodes)
        for layer in self.layers:
            given = [values[name] for name in layer.of]
            found = given[0]
            for name in layer.names:
                if self.rematerialise and done and done % self.rematerialise == 0:
                    x.builder.checkpoint(start)
                    start = len(x.builder.nodes)
                done += 1
                scope = top.within(name)
                with x.builder.within(name):
                    found = scope.apply(layer.id, found if len(given) == 1 else given, dict(layer.fields))
            values[layer.name] = found
        return found

    def is_frozen(self, path: str) -> bool:
        """Whether the parameter of a path belongs to a layer that is not trained."""
        name = path.partition("/")[0]
        return any(layer.frozen and name in layer.names for layer in self.layers)


def _none() -> Generator:
    raise ScellisError("SCL-CATALOG-BEGUN", "The arrays of this model are given, not begun.")

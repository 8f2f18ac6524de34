"""What a layer of the catalog is given beside its input: its parameters, its state, its random draws."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol

import attrs

from scellis.catalog.interpreter import Namespace, Word
from scellis.errors import ScellisError
from scellis.graph import array_api as xp
from scellis.graph.random import Generator
from scellis.graph.trace import Value

if TYPE_CHECKING:
    from scellis.catalog.library import Library

DEPTH_LIMIT = 8
"""Layers within one another."""
_DRAWS = ("uniform", "normal", "truncated_normal", "bernoulli", "randint", "permutation")

Initial = Callable[[], Value]


class Arrays(Protocol):
    """Where a model's arrays are: `initial` traces what one begins with."""

    def parameter(self, path: str, shape: Sequence[int], initial: Initial) -> Value:
        """The parameter of a path."""

    def state(self, path: str, initial: Initial) -> Value:
        """The array of a path that no gradient is taken of."""

    def set(self, path: str, value: Value) -> None:
        """What such an array is after the step."""


def draws(generator: Generator) -> Namespace:
    """A generator's draws as words."""
    return Namespace("random", {name: Word(name, getattr(generator, name)) for name in _DRAWS})


@attrs.frozen(eq=False)
class Scope:
    """The place of one layer in a model. `generator` draws for it while `training`."""

    path: str
    library: Library
    arrays: Arrays
    initial_generator: Callable[[], Generator]
    generator: Generator | None
    depth: int = 0

    @property
    def training(self) -> bool:
        return self.generator is not None

    def namespace(self) -> Namespace:
        """The scope as entries see it."""
        words: dict[str, Any] = {
            word: Word(word, getattr(self, word)) for word in ("parameter", "state", "set", "layer")
        }
        words["training"] = self.training
        if self.generator is not None:
            words["random"] = draws(self.generator)
        return Namespace("scope", words)

    def parameter(
        self,
        name: str,
        shape: Sequence[int],
        initializer: str,
        fans: Sequence[int] | None = None,
        **fields: Any,
    ) -> Value:
        """A parameter, begun by an entry of the catalog."""
        shape = tuple(shape)
        entry = self.library.get(initializer, "initializer")
        given = entry.read(self._known(entry.fields, fields, initializer))

        def initial() -> Value:
            counts = tuple(fans) if fans is not None else _fans(shape)
            random = draws(self.initial_generator())
            return self._shaped(name, shape, entry.call("values", shape, counts, random, fields=given))

        return self._shaped(name, shape, self.arrays.parameter(self._at(name), shape, initial))

    def state(self, name: str, shape: Sequence[int], value: float) -> Value:
        """An array of no gradient that stays from step to step."""
        return self.arrays.state(self._at(name), lambda: xp.full(tuple(shape), float(value)))

    def set(self, name: str, value: Value) -> None:
        """What such an array is after the step."""
        self.arrays.set(self._at(name), value)

    def layer(self, name: str, id: str, x: Any, **fields: Any) -> Value:  # noqa: A002 - as the catalog names it
        """Another layer within this one."""
        return self.within(name).apply(id, x, fields)

    def within(self, name: str) -> Scope:
        """The scope of a layer within this one. Raises `SCL-CATALOG-DEPTH`."""
        if self.depth >= DEPTH_LIMIT:
            raise ScellisError(
                "SCL-CATALOG-DEPTH", f"Layers lie more than {DEPTH_LIMIT} deep within one another."
            )
        return attrs.evolve(self, path=self._at(name), depth=self.depth + 1)

    def apply(self, id_: str, x: Any, fields: dict[str, Any]) -> Value:
        """What a layer makes of its input here."""
        entry = self.library.get(id_, "layer")
        given = entry.read(self._known(entry.fields, fields, id_))
        found = entry.call("layer", x, self.namespace(), fields=given)
        if not isinstance(found, Value):
            raise ScellisError(
                "SCL-CATALOG-LAYER", f"{id_} gives no array.", "A layer returns what it makes of x."
            )
        return found

    def _at(self, name: str) -> str:
        if not isinstance(name, str) or not name.isidentifier() or len(name) > 64:
            raise ScellisError("SCL-CATALOG-NAME", f"{str(name)[:80]!r} is no name of an array or a layer.")
        return f"{self.path}/{name}" if self.path else name

    def _known(self, schema: Any, fields: dict[str, Any], id_: str) -> dict[str, Any]:
        for field in fields:
            if field not in schema:
                raise ScellisError(
                    "SCL-CATALOG-FIELD",
                    f"{id_} has no field {field[:40]!r}.",
                    f"It has {', '.join(schema) or 'none'}.",
                )
        return fields

    def _shaped(self, name: str, shape: tuple[int, ...], value: Any) -> Value:
        if not isinstance(value, Value) or value.shape != shape:
            found = value.type if isinstance(value, Value) else "no array"
            raise ScellisError(
                "SCL-CATALOG-SHAPE", f"The parameter {self._at(name)} is {found}, where {shape} is expected."
            )
        return value


def _fans(shape: Sequence[int]) -> tuple[int, int]:
    """Inputs and outputs of a weight (outputs, inputs, window…), as PyTorch counts them."""
    if len(shape) < 2:
        return (shape[0] if shape else 1,) * 2
    window = 1
    for length in shape[2:]:
        window *= length
    return shape[1] * window, shape[0] * window

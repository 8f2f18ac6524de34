"""Runs the corpus: the graph of a case, its truth in f64, and what a device makes of it in each tier."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol

import attrs
import numpy as np

from conformance.cases import Case, Input
from conformance.operations import listed, ours, weighed
from conformance.tolerance import CLASSES, NONE, Array, Error, judge
from conformance.values import elements
from scellis.graph import ArrayType, Graph, Value, compute, trace
from scellis.graph.autodiff import gradient
from scellis.graph.types import FLOATS
from scellis.kernels.plan import plan_graph

TIERS = ("debug", "prod", "fast")


@attrs.frozen
class Prepared:
    """A case ready to be judged: graph and inputs; of each output truth, magnitude and number of terms."""

    case: Case
    graph: Graph
    inputs: list[Array]
    exact: list[Array]
    magnitudes: list[Array | None]
    terms: list[Array | None]

    @property
    def type(self) -> str:
        """The element type of the first result."""
        return self.graph.types[self.graph.outputs[0]].dtype


def prepare(case: Case) -> Prepared:
    """The graph and the truth of a case."""
    inputs, graph = inputs_of(case), graph_of(case)
    exact = compute(graph, inputs)
    magnitudes: list[Array | None] = [None] * len(exact)
    terms = list(magnitudes)
    if CLASSES[case.tolerance].each:
        magnitudes = list(compute(graph, [_sizes(array) for array in inputs]))
        # Operations of this class are linear in each input, but for products: a result has all factors.
        count = compute(
            graph, [np.ones_like(array) if array.dtype.kind == "f" else array for array in inputs]
        )
        if case.op == "prod":
            count = [np.full(result.shape, inputs[0].size / max(result.size, 1)) for result in exact]
        terms = list(count)
    return Prepared(case, graph, inputs, list(exact), magnitudes, terms)


def _sizes(array: Array) -> Array:
    return np.abs(array) if array.dtype.kind == "f" else array


def graph_of(case: Case, held: Sequence[ArrayType] = ()) -> Graph:
    """The operation on the case's inputs, or the derivatives of its results by those that are floats.

    `held` are further inputs that nothing reads: room for results that are to stay on a device.
    """

    def traced(**values: Value) -> list[Value]:
        return function_of(case)(*list(values.values())[: len(case.inputs)])

    types = [*(ArrayType(made.shape, made.dtype) for made in case.inputs), *held]
    return trace(traced, **{f"x{n}": found for n, found in enumerate(types)})


def function_of(case: Case) -> Callable[..., list[Value]]:
    """What a case computes, as a function of values."""

    def function(*given: Value) -> list[Value]:
        values = [_through(value, made) for value, made in zip(given, case.inputs, strict=True)]
        found = listed(ours(case.op, case.params)(*values))
        if not case.gradient:
            return found
        return gradient(weighed(found), [value for value in given if value.dtype in FLOATS])

    return function


def inputs_of(case: Case) -> list[Array]:
    """The arrays that a case is given."""
    return [
        elements(given.kind, given.values, given.shape, given.dtype, case.seed, number)
        for number, given in enumerate(case.inputs)
    ]


def _through(value: Value, made: Input) -> Value:
    return value if made.through is None else listed(ours(*made.through)(value))[0]


def judged(prepared: Prepared, found: Sequence[Array], tier: str) -> Error:
    """The worst of a case's results."""
    worst = NONE
    rows = zip(found, prepared.exact, prepared.magnitudes, prepared.terms, strict=True)
    for result, exact, magnitude, terms in rows:
        worst = worst.worse(judge(result, exact, prepared.case.tolerance, tier, magnitude, terms))
    return worst


class Device(Protocol):
    """A device that plans."""

    fingerprint: dict[str, Any]

    def compile(
        self, graph: Graph, tier: str, carry: Mapping[int, int] | None = None, *, fused: bool = True
    ) -> Awaitable[Any]:
        """A plan of it, to be computed."""


@attrs.frozen
class Result:
    """A case on a device: its error by tier, fused and unfused, and where these differ in bits."""

    case: Case
    type: str
    errors: dict[str, Error]
    unfused: dict[str, Error]
    other_bits: list[str]

    @property
    def complaints(self) -> list[str]:
        """What does not hold, in sentences."""
        return [
            f"{tier}{how}: {self.case.name}: {error.where}"
            for how, errors in (("", self.errors), (", unfused", self.unfused))
            for tier, error in errors.items()
            if not error.holds
        ]

    def to_json(self) -> dict[str, Any]:
        """What crosses from a tab, and what figures are made of."""
        return {
            "name": self.case.name,
            "family": self.case.family,
            "class": self.case.tolerance,
            "type": self.type,
            "errors": {tier: [error.ulp, error.relative] for tier, error in self.errors.items()},
            "other_bits": self.other_bits,
            "complaints": self.complaints,
        }


async def run(device: Device, cases: Iterable[Case], tiers: Sequence[str] = TIERS) -> list[Result]:
    """Each case, fused and unfused. A plan that is the same in two tiers is computed once."""
    return [await run_case(device, prepare(case), tiers) for case in cases]


async def run_case(device: Device, prepared: Prepared, tiers: Sequence[str] = TIERS) -> Result:
    """One case on a device, in some tiers."""
    known: dict[str, list[Array]] = {}

    async def computed(tier: str, fused: bool) -> list[Array]:
        limits, adapter, features = (device.fingerprint[field] for field in ("limits", "class", "features"))
        name = plan_graph(prepared.graph, limits, tier, None, adapter, features, fused=fused).address
        if name not in known:
            compiled = await device.compile(prepared.graph, tier, fused=fused)
            known[name] = await compiled.compute(prepared.inputs)
            compiled.close()
        return known[name]

    result = Result(prepared.case, prepared.type, {}, {}, [])
    for tier in tiers:
        found, apart = await computed(tier, True), await computed(tier, False)
        result.errors[tier] = judged(prepared, found, tier)
        result.unfused[tier] = judged(prepared, apart, tier)
        if not all(map(same_bits, found, apart)):
            result.other_bits.append(tier)
    return result


def same_bits(one: Array, other: Array) -> bool:
    """Whether two results are the same to the bit, one NaN being as good as another."""
    if one.dtype.kind == "f":
        one, other = (np.where(np.isnan(array), np.nan, array).astype(array.dtype) for array in (one, other))
    return one.tobytes() == other.tobytes()


def run_oracle(prepared: Prepared) -> Error:
    """The oracle's f32 mode against its f64 mode."""
    found = compute(prepared.graph, prepared.inputs, wide=False)
    return judged(prepared, found, "prod")

"""A job: everything that a shard's result depends on, fixed and named by its canonical bytes."""

from __future__ import annotations

import math
from functools import cached_property
from typing import Any

import attrs
import cattrs
import numpy as np

from scellis import ENGINE_VERSION
from scellis.content import address, canonical_json, parse_json
from scellis.errors import ScellisError
from scellis.graph import Graph, check_program
from scellis.graph.precision import F32_LARGEST, F32_SMALLEST
from scellis.job.reducers import REDUCERS
from scellis.job.tolerance import MOVED_LIMIT, Tolerance
from scellis.kernels.sampling import BINS_LIMIT, DRAWS_LIMIT, TIERS
from scellis.limits import POLICIES, SHARD_LIMIT
from scellis.planner import Pilot
from scellis.rng import key_words

JOB_LIMIT_BYTES = 256 * 1024
VISIBILITIES = ("public", "private", "confidential")


@attrs.frozen
class BySeed:
    """The partition into independent draws: shard k takes the stream `shard/k`."""

    shards: int
    draws_per_shard: int
    kind: str = "by_seed"


@attrs.frozen
class HistogramReduction:
    """Moments and a histogram over the range that the pilot froze, in the output's unit."""

    bins: int
    low: float
    high: float
    pivot: float
    scale: float
    kind: str = "moments_histogram"


@attrs.frozen
class Labels:
    """What the people who read the result call things, so that a record can be read alone."""

    title: str
    output: str
    unit: str
    inputs: tuple[str, ...]


@attrs.frozen
class Goal:
    """What the owner wishes: the coverage of the interval and the standard error of the mean."""

    coverage: float
    standard_error: float


@attrs.frozen(slots=False)
class Job:
    """Program, partition, reduction, tolerance class, policy, tier, root seed and engine version.

    Shard k is a pure function of (address, k). Raises `SCL-JOB-*` when made of values that no engine takes.
    """

    engine: str
    labels: Labels
    program: Graph
    partition: BySeed
    reduction: HistogramReduction
    tolerance: Tolerance
    goal: Goal
    policy: str
    determinism_tier: str
    seed: int
    visibility: str = "private"

    def __attrs_post_init__(self) -> None:
        key_words(self.seed)
        check_program(self.program)
        _one_of("determinism tier", self.determinism_tier, TIERS)
        _one_of("policy", self.policy, POLICIES)
        _one_of("visibility", self.visibility, VISIBILITIES)
        _one_of("partition", self.partition.kind, ("by_seed",))
        _one_of("reduction", self.reduction.kind, tuple(REDUCERS))
        _between("shards", self.partition.shards, 1, SHARD_LIMIT)
        _between("draws per shard", self.partition.draws_per_shard, 1, DRAWS_LIMIT)
        _between("bins", self.reduction.bins, 2, BINS_LIMIT)
        if len(self.labels.inputs) != len(self.program.draws):
            raise ScellisError("SCL-JOB-FIELD", "The job does not name each input of its program once.")
        reduction, tolerance, goal = self.reduction, self.tolerance, self.goal
        if not -F32_LARGEST <= reduction.low < reduction.high <= F32_LARGEST:
            raise ScellisError("SCL-JOB-FIELD", "The job's histogram range is empty or beyond f32.")
        if not (reduction.scale >= F32_SMALLEST and all(map(_is_f32, (reduction.pivot, reduction.scale)))):
            raise ScellisError("SCL-JOB-FIELD", "The job's pivot and scale are not numbers that f32 holds.")
        if not (
            0 <= tolerance.mean < math.inf and 0 <= tolerance.m2 < math.inf and 0 <= tolerance.moved <= 1
        ):
            raise ScellisError("SCL-JOB-FIELD", "The job's tolerances are not finite or below 0.")
        if not (0 < goal.coverage < 1 and 0 < goal.standard_error < math.inf):
            raise ScellisError(
                "SCL-JOB-FIELD", "The coverage lies between 0 and 1, the standard error above 0."
            )

    @property
    def draws(self) -> int:
        """Draws of the whole job."""
        return self.partition.shards * self.partition.draws_per_shard

    @cached_property
    def _bytes(self) -> bytes:
        return canonical_json({"scellis_job": 1, **_converter.unstructure(self)})

    def to_bytes(self) -> bytes:
        """The canonical bytes (RFC 8785)."""
        return self._bytes

    @cached_property
    def address(self) -> str:
        """The content address."""
        return address(self.to_bytes())

    @classmethod
    def from_bytes(cls, data: bytes) -> Job:
        """Read a job from a stranger, of any engine version; `check_engine` says whether it can run here.

        Raises `SCL-JOB-FORM`, naming the field, for anything but what `to_bytes` writes.
        """
        value = parse_json(data, what="job", limit_bytes=JOB_LIMIT_BYTES)
        if not isinstance(value, dict) or value.pop("scellis_job", None) != 1:
            raise ScellisError("SCL-JOB-FORM", "This is not a Scellis job of format 1.")
        try:
            job = _converter.structure(value, cls)
        except cattrs.ClassValidationError as error:
            if (ours := _first_own(error)) is not None:
                raise ours from error
            why = "; ".join(cattrs.transform_error(error)[:3])
            raise ScellisError("SCL-JOB-FORM", f"The job is damaged: {why}.") from error
        if job.to_bytes() != data:
            raise ScellisError("SCL-JOB-FORM", "The job is not in its canonical form.")
        return job

    def check_engine(self) -> None:
        """Raise `SCL-JOB-ENGINE` unless this engine is the one the job was made for."""
        if self.engine != ENGINE_VERSION:
            raise ScellisError(
                "SCL-JOB-ENGINE",
                f"The job was made for engine {self.engine}; this is {ENGINE_VERSION}.",
                "Open it with that version; bits may differ between engines.",
                wanted=self.engine,
                have=ENGINE_VERSION,
            )


def frozen_tolerance(pilot: Pilot, bins: int, determinism_tier: str) -> Tolerance:
    """The tolerance class that a pilot gives a job.

    In the fast tier as many draws may lie in other bins as built-in functions may carry there, on each of two
    devices.
    """
    moved = MOVED_LIMIT
    if determinism_tier == "fast":
        moved = max(moved, min(1.0, 2.0 * pilot.rounding * bins / (pilot.high - pilot.low)))
    return Tolerance(pilot.tolerance_mean, pilot.tolerance_m2, moved)


def freeze_job(
    program: Graph,
    pilot: Pilot,
    *,
    labels: Labels,
    partition: BySeed,
    bins: int,
    goal: Goal,
    policy: str,
    determinism_tier: str,
    seed: int,
) -> Job:
    """The job of a program, with what its pilot froze.

    Raises `SCL-PLAN-BINS` for bins so narrow that f32 alone would carry too many draws into another.
    """
    tolerance = frozen_tolerance(pilot, bins, determinism_tier)
    most = int(tolerance.moved * (pilot.high - pilot.low) / pilot.rounding)
    if bins > most:
        raise ScellisError(
            "SCL-PLAN-BINS",
            f"{bins} bins are narrower than f32 can tell apart for this program; it fills at most {most}.",
            "Take fewer bins, or write the program in deviations from nominal values.",
            bins=bins,
            most=most,
        )
    return Job(
        engine=ENGINE_VERSION,
        labels=labels,
        program=program,
        partition=partition,
        reduction=HistogramReduction(bins, pilot.low, pilot.high, pilot.pivot, pilot.scale),
        tolerance=tolerance,
        goal=goal,
        policy=policy,
        determinism_tier=determinism_tier,
        seed=seed,
    )


def _first_own(error: BaseExceptionGroup[Exception]) -> ScellisError | None:
    """The first of our own errors inside a group: it already names what is wrong."""
    for inner in error.exceptions:
        if isinstance(inner, ScellisError):
            return inner
        if isinstance(inner, BaseExceptionGroup) and (found := _first_own(inner)) is not None:
            return found
    return None


def _is_f32(number: float) -> bool:
    return abs(number) <= F32_LARGEST and float(np.float32(number)) == number


def _one_of(what: str, value: str, known: tuple[str, ...]) -> None:
    if value not in known:
        raise ScellisError(
            "SCL-JOB-FIELD", f"The job's {what} is {value[:40]!r}.", f"Known: {', '.join(known)}."
        )


def _between(what: str, value: int, least: int, most: int) -> None:
    if not least <= value <= most:
        raise ScellisError("SCL-JOB-FIELD", f"The job has {value} {what}; it takes {least} to {most}.")


def _structure_seed(value: Any, _: Any) -> int:
    if not isinstance(value, str) or not value.isascii() or not value.isdecimal() or len(value) > 20:
        raise ValueError("a seed is written as a decimal string")
    return int(value)


def _strict(kind: type, names: str) -> Any:
    def structure(value: Any, _: Any) -> Any:
        if type(value) not in ((int, float) if kind is float else (kind,)):
            raise ValueError(f"{names} expected, not {str(value)[:40]!r}")
        return kind(value)

    return structure


_converter = cattrs.Converter(forbid_extra_keys=True)
_converter.register_structure_hook(int, _strict(int, "a whole number"))
_converter.register_structure_hook(float, _strict(float, "a number"))
_converter.register_structure_hook(str, _strict(str, "text"))
_converter.register_structure_hook(Graph, lambda value, _: Graph.from_json(value))
_converter.register_unstructure_hook(Graph, lambda graph: graph.to_json())
_converter.register_structure_hook(
    Job,
    cattrs.gen.make_dict_structure_fn(
        Job,
        _converter,
        _cattrs_forbid_extra_keys=True,
        seed=cattrs.gen.override(struct_hook=_structure_seed),
    ),
)
_converter.register_unstructure_hook(
    Job,
    cattrs.gen.make_dict_unstructure_fn(Job, _converter, seed=cattrs.gen.override(unstruct_hook=str)),
)

"""SML of a job: inputs, steps and output of a program, and how it is to be run."""

from __future__ import annotations

import re

import attrs

from scellis.errors import ScellisError
from scellis.graph import DRAWS, Builder, Draw, Graph, Value, check_program
from scellis.graph.draws import check_parameters
from scellis.graph.expression import FUNCTIONS, parse_expression
from scellis.graph.program import NODE_LIMIT
from scellis.kernels.sampling import BINS_LIMIT, DRAWS_LIMIT, TIERS
from scellis.limits import POLICIES, SHARD_LIMIT
from scellis.rng.streams import SEED_LIMIT
from scellis.sml.document import Section, load

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,63}")

VERSION = 1
VERSION_LIMIT = 1_000

DISTRIBUTIONS = {
    "uniform": "draw_uniform",
    "normal": "draw_normal",
    "student_t": "draw_t",
    "arcsine": "draw_arcsine",
    "ctrap": "draw_ctrap",
}
"""The names that `draw:` takes, and the operation each stands for."""


@attrs.frozen
class JobText:
    """What an SML text says, before a pilot has frozen it into a job.

    `shards` is None where the text leaves it to the wished standard error.
    """

    title: str
    about: str
    inputs: tuple[str, ...]
    output: str
    unit: str
    program: Graph
    shards: int | None
    draws_per_shard: int
    bins: int
    coverage: float
    standard_error: float
    determinism_tier: str
    seed: int
    policy: str


def parse_job_text(text: str) -> JobText:
    """Read an SML text. Nothing in it is executed. Raises `SCL-SML-*` or `SCL-GRAPH-*`, naming the line."""
    document = load(text)
    if document.integer("sml", 0, VERSION_LIMIT) != VERSION:
        raise document.refuse("sml", f"this engine reads SML version {VERSION}.")
    document.only(("sml", "title", "about", "source", "inputs", "constants", "steps", "output", "job"))
    builder = Builder(NODE_LIMIT)
    names = _inputs(document.section("inputs"), builder)
    inputs = tuple(names)
    _constants(document, names, builder)
    _steps(document, names, builder)
    output = document.section("output")
    output.only(("name", "unit", "value"))
    value = _parsed(output, "value", names, builder)
    program = check_program(builder.graph(value))
    _all_used(document, inputs, program)

    job = document.section("job")
    job.only(("partition", "reduction", "coverage", "standard_error", "determinism_tier", "seed", "policy"))
    shards, draws_per_shard = _partition(job)
    return JobText(
        title=document.text("title"),
        about=document.text("about") if document.has("about") else "",
        inputs=inputs,
        output=output.text("name"),
        unit=output.text("unit"),
        program=program,
        shards=shards,
        draws_per_shard=draws_per_shard,
        bins=_bins(job),
        coverage=_coverage(job),
        standard_error=_standard_error(job),
        determinism_tier=job.one_of("determinism_tier", TIERS),
        seed=job.integer("seed", 0, SEED_LIMIT - 1),
        policy=job.one_of("policy", POLICIES),
    )


def _declare(section: Section, key: str, names: dict[str, Value]) -> None:
    if not _NAME.fullmatch(key) or key in FUNCTIONS:
        raise section.refuse(
            key, "a name is a letter, then letters, digits and underscores, and no function."
        )
    if key in names:
        raise section.refuse(key, "the name is declared twice.")


def _inputs(section: Section, builder: Builder) -> dict[str, Value]:
    names: dict[str, Value] = {}
    for key in section.fields():
        _declare(section, key, names)
        row = section.section(key)
        op = DISTRIBUTIONS[row.one_of("draw", DISTRIBUTIONS)]
        row.only(("draw", *DRAWS[op].parameters))
        parameters = {name: row.number(name) for name in DRAWS[op].parameters}
        try:
            check_parameters(op, parameters)
        except ScellisError as error:
            raise section.refuse(key, error.message) from error
        with builder.at(section.where(key)):
            names[key] = builder.draw(Draw(op, parameters))
    if not names:
        raise section.refuse(None, "a program has at least one input.")
    return names


def _constants(document: Section, names: dict[str, Value], builder: Builder) -> None:
    if not document.has("constants"):
        return
    section = document.section("constants")
    for key in section.fields():
        _declare(section, key, names)
        with builder.at(section.where(key)):
            names[key] = builder.constant(section.number(key))


def _steps(document: Section, names: dict[str, Value], builder: Builder) -> None:
    if not document.has("steps"):
        return
    section = document.section("steps")
    for key in section.fields():
        _declare(section, key, names)
        names[key] = _parsed(section, key, names, builder)


def _parsed(section: Section, key: str, names: dict[str, Value], builder: Builder) -> Value:
    """The value of an expression, which comes from its line of the text."""
    with builder.at(section.where(key)):
        return parse_expression(section.expression(key), names, builder, where=section.where(key))


def _all_used(document: Section, inputs: tuple[str, ...], program: Graph) -> None:
    """Refuse an input that the output does not depend on: it would cost its words and say nothing."""
    reached = {program.output}
    for index in range(len(program.nodes) - 1, -1, -1):
        if index in reached:
            reached.update(program.nodes[index].args)
    for name, index in zip(inputs, program.draws, strict=True):
        if index not in reached:
            raise document.section("inputs").refuse(
                name, "the output does not depend on it.", "Use it or remove it."
            )


def _partition(job: Section) -> tuple[int | None, int]:
    kind, fields = job.choice("partition")
    if kind != "by_seed":
        raise job.refuse("partition", f"there is no partition {kind[:40]!r}.", "Known: by_seed.")
    fields.only(("shards", "draws_per_shard"))
    shards = fields.integer("shards", 1, SHARD_LIMIT) if fields.has("shards") else None
    return shards, fields.integer("draws_per_shard", 1, DRAWS_LIMIT)


def _coverage(job: Section) -> float:
    coverage = job.number("coverage")
    if not 0 < coverage < 1:
        raise job.refuse("coverage", "a number between 0 and 1 is expected.")
    return coverage


def _standard_error(job: Section) -> float:
    error = job.number("standard_error")
    if not error > 0:
        raise job.refuse("standard_error", "a number above 0 is expected.")
    return error


def _bins(job: Section) -> int:
    kind, fields = job.choice("reduction")
    if kind != "moments_histogram":
        raise ScellisError(
            "SCL-JOB-REDUCER",
            f"There is no reduction {kind[:40]!r}.",
            "Known: moments_histogram.",
            reducer=kind[:40],
        )
    fields.only(("bins",))
    return fields.integer("bins", 2, BINS_LIMIT)

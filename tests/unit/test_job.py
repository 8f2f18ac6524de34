"""Jobs: one canonical form, every damaged field named."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scellis import ENGINE_VERSION
from scellis.content import address, canonical_json
from scellis.errors import ScellisError
from scellis.job import BySeed, Goal, HistogramReduction, Job, Labels, Tolerance, freeze_job, plan_job
from scellis.job.job import JOB_LIMIT_BYTES
from support.programs import EXAMPLES, example_plan, example_text


@pytest.fixture
def job() -> Job:
    return example_plan("gauge_block").job


def as_json(job: Job) -> dict[str, Any]:
    value = json.loads(job.to_bytes())
    assert isinstance(value, dict)
    return value


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_job_comes_back_from_its_bytes(name: str) -> None:
    job = example_plan(name).job
    again = Job.from_bytes(job.to_bytes())
    assert again == job
    assert again.address == job.address == address(job.to_bytes())
    assert job.draws == 41_943_040
    assert len(job.to_bytes()) < 8192
    job.check_engine()


def test_what_a_job_holds(job: Job) -> None:
    value = as_json(job)
    assert value["engine"] == ENGINE_VERSION
    assert value["seed"] == "20081009"  # as text: JSON's numbers end at 2^53
    assert value["determinism_tier"] == "prod"
    assert value["policy"] == "own_devices"
    assert value["visibility"] == "private"
    assert value["partition"] == {"kind": "by_seed", "shards": 640, "draws_per_shard": 65_536}
    assert value["program"] == job.program.to_json()


def test_the_whole_range_of_seeds() -> None:
    for seed in (0, 2**53, 2**64 - 1):
        job = attrs.evolve(example_plan("gauge_block").job, seed=seed)
        assert Job.from_bytes(job.to_bytes()).seed == seed


def test_each_part_of_a_job_is_in_its_address(job: Job) -> None:
    other = example_plan("saturating").job
    jobs = [
        job,
        attrs.evolve(job, engine="0.0.9"),
        attrs.evolve(job, labels=attrs.evolve(job.labels, title="Other")),
        other,
        attrs.evolve(job, partition=BySeed(641, 65_536)),
        attrs.evolve(job, reduction=attrs.evolve(job.reduction, bins=128)),
        attrs.evolve(job, tolerance=attrs.evolve(job.tolerance, mean=1.0)),
        attrs.evolve(job, goal=Goal(0.95, 0.006)),
        attrs.evolve(job, determinism_tier="debug"),
        attrs.evolve(job, seed=1),
        attrs.evolve(job, visibility="public"),
    ]
    assert len({job.address for job in jobs}) == len(jobs)


def put(path: str, new: Any) -> Callable[[dict[str, Any]], None]:
    def change(value: dict[str, Any]) -> None:
        *outer, last = path.split(".")
        for key in outer:
            value = value[key]
        value[last] = new

    return change


def drop(path: str) -> Callable[[dict[str, Any]], None]:
    def change(value: dict[str, Any]) -> None:
        *outer, last = path.split(".")
        for key in outer:
            value = value[key]
        del value[last]

    return change


FIELDS = [
    *("engine", "labels", "program", "partition", "reduction", "tolerance", "goal", "policy"),
    *("determinism_tier", "seed", "labels.title", "labels.output", "labels.unit", "labels.inputs"),
    *("partition.shards", "partition.draws_per_shard", "goal.coverage", "goal.standard_error"),
    *("reduction.bins", "reduction.low", "reduction.high", "reduction.pivot", "reduction.scale"),
    *("tolerance.mean", "tolerance.m2"),
]


@pytest.mark.parametrize("path", FIELDS)
def test_a_missing_field_is_named(job: Job, path: str) -> None:
    value = as_json(job)
    drop(path)(value)
    with pytest.raises(ScellisError, match="SCL-JOB-FORM") as caught:
        Job.from_bytes(canonical_json(value))
    assert path.rpartition(".")[2] in caught.value.message


@pytest.mark.parametrize("path", FIELDS)
@pytest.mark.parametrize("wrong", [None, True, [], {}, [[]], "x" * 2000, {"a": 1}], ids=lambda v: str(v)[:8])
def test_a_field_of_another_type_is_named(job: Job, path: str, wrong: Any) -> None:
    if wrong == "x" * 2000 and path in ("engine", "labels.title", "labels.output", "labels.unit"):
        return  # any text will do there
    value = as_json(job)
    put(path, wrong)(value)
    with pytest.raises(ScellisError, match=r"SCL-(JOB|GRAPH)-") as caught:
        Job.from_bytes(canonical_json(value))
    assert len(caught.value.message) < 600
    field = path.rpartition(".")[2]
    words = {"program": "graph", "inputs": "input"}.get(field, field.replace("_", " "))
    assert words in caught.value.message.replace("_", " ")


@pytest.mark.parametrize(
    ("path", "wrong", "says"),
    [
        ("determinism_tier", "exact", "determinism tier is 'exact'"),
        ("determinism_tier", "", "determinism tier"),
        ("policy", "open_crowd", "policy is 'open_crowd'"),
        ("visibility", "secret", "visibility is 'secret'"),
        ("seed", 5, "seed"),
        ("seed", "-1", "seed"),
        ("seed", "+1", "seed"),
        ("seed", "1.0", "seed"),
        ("seed", "١", "seed"),
        ("seed", "18446744073709551616", "seed"),
        ("seed", "9" * 5000, "seed"),
        ("seed", "007", "canonical"),
        ("partition.kind", "by_hand", "partition is 'by_hand'"),
        ("partition.shards", 0, "0 shards"),
        ("partition.shards", -1, "-1 shards"),
        ("partition.shards", 1_000_001, "1000001 shards"),
        ("partition.shards", 1.5, "shards"),
        ("partition.draws_per_shard", 0, "0 draws per shard"),
        ("partition.draws_per_shard", 2**22 + 1, "draws per shard"),
        ("reduction.kind", "mean_of_means", "reduction is 'mean_of_means'"),
        ("reduction.bins", 1, "1 bins"),
        ("reduction.bins", 4097, "4097 bins"),
        ("reduction.low", 1079.5, "range is empty"),
        ("reduction.low", -1e39, "beyond f32"),
        ("reduction.high", 1e300, "beyond f32"),
        ("reduction.scale", 0, "pivot and scale"),
        ("reduction.scale", -1, "pivot and scale"),
        ("reduction.scale", 1e-45, "pivot and scale"),
        ("reduction.scale", 0.1, "pivot and scale"),
        ("reduction.pivot", 838.2, "pivot and scale"),
        ("reduction.pivot", 1e39, "pivot and scale"),
        ("tolerance.mean", -1, "tolerances"),
        ("tolerance.m2", -1e-9, "tolerances"),
        ("tolerance.moved", 1.1, "tolerances"),
        ("goal.coverage", 0, "coverage"),
        ("goal.coverage", 1, "coverage"),
        ("goal.standard_error", 0, "standard error"),
        ("labels.inputs", ["one"], "each input"),
        ("program.outputs", [999], "Output 0 is no node"),
        ("program.outputs", "0", "not an op graph"),
        ("program.nodes", [["cbrt", [], {}]], "no operation 'cbrt'"),
        ("program.nodes", [], "1 to 1048576 nodes"),
        ("price", 5, "price"),
        ("payment", {"euro": 1}, "payment"),
        ("partition.colour", 5, "colour"),
        ("scellis_job", 2, "format 1"),
        ("scellis_job", "1", "format 1"),
        ("scellis_job", True, "canonical"),
        ("labels.title", "\u0007" * 99, None),
    ],
)
def test_a_field_of_a_wrong_value_is_named(job: Job, path: str, wrong: Any, says: str | None) -> None:
    value = as_json(job)
    put(path, wrong)(value)
    data = canonical_json(value)
    if says is None:
        assert Job.from_bytes(data).to_bytes() == data
        return
    with pytest.raises(ScellisError) as caught:
        Job.from_bytes(data)
    assert says in caught.value.message
    assert len(caught.value.message) < 600
    assert caught.value.message.isprintable()


@pytest.mark.parametrize(
    "change",
    [
        lambda data: data + b" ",
        lambda data: b" " + data,
        lambda data: data.replace(b'":', b'": ', 1),
        lambda data: data.replace(b"1079.5", b"1079.50"),
        lambda data: json.dumps(json.loads(data)).encode(),
        lambda data: data.replace(b'"engine"', b'"\\u0065ngine"'),
    ],
)
def test_only_the_canonical_bytes_are_a_job(job: Job, change: Callable[[bytes], bytes]) -> None:
    with pytest.raises(ScellisError, match="canonical"):
        Job.from_bytes(change(job.to_bytes()))


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"null",
        b"[]",
        b"5",
        b'"job"',
        b"{}",
        b"{",
        b"\xff",
        b'{"scellis_job":1}',
        b"[" * 1000,
        b'{"a":NaN}',
    ],
)
def test_what_is_no_job_is_refused(data: bytes) -> None:
    with pytest.raises(ScellisError, match=r"SCL-JOB-FORM|SCL-CONTENT-JSON"):
        Job.from_bytes(data)


def test_a_job_too_long_is_not_read(job: Job) -> None:
    with pytest.raises(ScellisError, match="SCL-CONTENT-SIZE"):
        Job.from_bytes(b" " * (JOB_LIMIT_BYTES + 1))


@given(st.data())
def test_a_damaged_job_is_refused_or_another_job(data: st.DataObject) -> None:
    original = example_plan("saturating").job.to_bytes()
    damaged = bytearray(original)
    for place in data.draw(st.sets(st.integers(0, len(original) - 1), min_size=1, max_size=3)):
        damaged[place] = data.draw(st.integers(32, 126))
    try:
        found = Job.from_bytes(bytes(damaged))
    except ScellisError as error:
        assert error.code.split("-")[1] in ("JOB", "GRAPH", "CONTENT", "RNG")  # noqa: PT017
    else:
        assert found.to_bytes() == damaged


def test_another_engine_may_read_a_job_but_not_run_it(job: Job) -> None:
    older = Job.from_bytes(attrs.evolve(job, engine="0.0.9").to_bytes())
    with pytest.raises(ScellisError, match="SCL-JOB-ENGINE") as caught:
        older.check_engine()
    assert caught.value.arguments == {"wanted": "0.0.9", "have": ENGINE_VERSION}


def test_freezing_refuses_what_a_job_would() -> None:
    plan = example_plan("gauge_block")
    fields: dict[str, Any] = {
        "labels": plan.job.labels,
        "partition": plan.job.partition,
        "bins": 256,
        "goal": plan.job.goal,
        "policy": "own_devices",
        "determinism_tier": "prod",
        "seed": 20081009,
    }
    assert freeze_job(plan.job.program, plan.pilot, **fields) == plan.job
    for wrong in (
        {"determinism_tier": ""},
        {"seed": -1},
        {"policy": "crowd"},
        {"bins": 1},
        {"goal": Goal(1, 1)},
    ):
        with pytest.raises(ScellisError):
            freeze_job(plan.job.program, plan.pilot, **{**fields, **wrong})
    with pytest.raises(TypeError, match="determinism_tier"):  # it has no default
        freeze_job(
            plan.job.program, plan.pilot, **{k: v for k, v in fields.items() if k != "determinism_tier"}
        )


def test_bins_that_f32_cannot_fill_are_refused() -> None:
    plan_job(example_text("gauge_block", bins=512))
    with pytest.raises(ScellisError, match="SCL-PLAN-BINS") as caught:
        plan_job(example_text("gauge_block", bins=3000))
    most = int(caught.value.arguments["most"] or 0)
    plan_job(example_text("gauge_block", bins=most))
    with pytest.raises(ScellisError, match="SCL-PLAN-BINS"):
        plan_job(example_text("gauge_block", bins=most + 1))


def test_a_job_can_be_built_by_hand(job: Job) -> None:
    built = Job(
        engine=ENGINE_VERSION,
        labels=Labels("t", "y", "", ("a",) * 9),
        program=job.program,
        partition=BySeed(1, 1),
        reduction=HistogramReduction(2, -1.0, 1.0, 0.0, 1.0),
        tolerance=Tolerance(0.0, 0.0),
        goal=Goal(0.5, 1.0),
        policy="own_devices",
        determinism_tier="debug",
        seed=0,
    )
    assert Job.from_bytes(built.to_bytes()) == built

"""Plans that are kept: the same plan comes back, under the hash of all that it hangs on, or is made anew."""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import attrs
import pytest

from scellis.content import FolderStore, MemoryStore
from scellis.device import plans
from scellis.device.plans import Asked, Plans
from scellis.errors import ScellisError
from scellis.graph import ArrayType, Graph, trace
from scellis.graph import functions as xp
from scellis.kernels.kept import plan_from_bytes, plan_to_bytes
from scellis.kernels.plan import ArrayPlan
from support import mlp
from support.arrays import numbers, traced

LIMITS = {"maxStorageBuffersPerShaderStage": 8, "maxStorageBufferBindingSize": 2**27}
ASKED = Asked(LIMITS, "prod", {}, "software", (), 0, True)
STEP = mlp.step(16, 20, 12, 4)


@pytest.fixture
def planned(monkeypatch: pytest.MonkeyPatch) -> list[Graph]:
    """The graphs that were planned, rather than found."""
    found: list[Graph] = []
    plan_graph = plans.plan_graph

    def counted(graph: Graph, *args: Any, **named: Any) -> ArrayPlan:
        found.append(graph)
        return plan_graph(graph, *args, **named)

    monkeypatch.setattr(plans, "plan_graph", counted)
    return found


@pytest.mark.parametrize(
    ("graph", "asked"),
    [
        (STEP, attrs.evolve(ASKED, carry=mlp.CARRY)),
        (STEP, attrs.evolve(ASKED, carry=mlp.CARRY, limits={**LIMITS, "maxStorageBufferBindingSize": 400})),
        (traced(lambda x: [xp.softmax(x), x[:0]], numbers((3, 4))), ASKED),
    ],
    ids=["a training step", "one in parts", "an array without elements"],
)
def test_a_plan_comes_back_as_it_was(graph: Graph, asked: Asked) -> None:
    plan = asked.plan(graph)
    found = plan_from_bytes(plan_to_bytes(plan))
    assert found == plan
    assert found.address == plan.address
    assert found.labels == plan.labels
    assert found.graph.places == plan.graph.places


async def test_a_plan_is_made_once_for_all_that_it_hangs_on(planned: list[Graph]) -> None:
    store = MemoryStore()
    first = await Plans(store).plan(STEP, ASKED)
    assert await Plans(store).plan(STEP, ASKED) == first
    assert len(planned) == 1
    others = [
        attrs.evolve(ASKED, tier="debug"),
        attrs.evolve(ASKED, tier="fast"),
        attrs.evolve(ASKED, carry={1: 4}),
        attrs.evolve(ASKED, adapter="gpu"),
        attrs.evolve(ASKED, features=("shader-f16",)),
        attrs.evolve(ASKED, fused=False),
        attrs.evolve(ASKED, limits={**LIMITS, "maxStorageBuffersPerShaderStage": 10}),
    ]
    for asked in others:
        await Plans(store).plan(STEP, asked)
    await Plans(store, build="another").plan(STEP, ASKED)
    assert len(planned) == 2 + len(others)


async def test_zero_and_minus_zero_are_two_plans(planned: list[Graph]) -> None:
    store = MemoryStore()
    texts = []
    for zero in (0.0, -0.0):
        graph = trace(lambda x, zero=zero: x * zero, x=ArrayType((3,), "f32"))
        texts.append((await Plans(store).plan(graph, ASKED)).steps[0].kernel.wgsl)
    assert len(planned) == 2
    assert texts[0] != texts[1]


async def test_an_error_never_names_the_line_of_an_older_program(planned: list[Graph]) -> None:
    store = MemoryStore()
    moved = attrs.evolve(STEP, places=("model.py, line 1",) * len(STEP.nodes))
    assert moved == STEP
    await Plans(store).plan(STEP, ASKED)
    assert "model.py, line 1" in (await Plans(store).plan(moved, ASKED)).labels[0]
    assert len(planned) == 2


def _hashed(key: str, data: bytes) -> bytes:
    return hashlib.sha256(key.encode() + data).digest() + data


def _rehashed(change: Callable[[dict[str, Any]], None]) -> Callable[[str, bytes], bytes]:
    """What somebody writes who knows the form."""

    def changed(key: str, entry: bytes) -> bytes:
        form = json.loads(zlib.decompress(entry[32:]))
        change(form)
        data = zlib.compress(json.dumps(form).encode())
        return _hashed(key, data)

    return changed


DAMAGE: dict[str, Callable[[str, bytes], bytes]] = {
    "a bit": lambda key, entry: entry[:-1] + bytes([entry[-1] ^ 1]),
    "nothing left": lambda key, entry: b"",
    "cut off": lambda key, entry: entry[: len(entry) // 2],
    "other bytes": lambda key, entry: _hashed(key, b"no"),
    "cut off, with its hash": lambda key, entry: _hashed(key, entry[32:-9]),
    "no object": _rehashed(lambda form: form.clear()),
    "a field more": _rehashed(lambda form: form.update(more=1)),
    "a buffer that is not there": _rehashed(lambda form: form["steps"][0]["buffers"].__setitem__(0, 10**6)),
    "a node that is not there": _rehashed(lambda form: form["steps"][0].update(roots=[10**6])),
    "a kernel that is not there": _rehashed(lambda form: form["steps"][0].update(text=-1)),
    "an output less": _rehashed(lambda form: form["outputs"].pop()),
    "a graph that is none": _rehashed(lambda form: form["whole"]["graph"]["nodes"].reverse()),
    "another's": lambda key, entry: _hashed(key[::-1], entry[32:]),
    "a grid that is none": _rehashed(lambda form: form["steps"][0].update(workgroups=[-1, 1, 1])),
    "a buffer that is too small": _rehashed(lambda form: form["sizes"].__setitem__(0, 4)),
    "a buffer of no bytes": _rehashed(lambda form: form.update(sizes=[-4] * len(form["sizes"]))),
    "half a number": _rehashed(lambda form: form["steps"][0].update(text=0.5)),
    "text for a number": _rehashed(lambda form: form.update(sizes="many")),
}


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
async def test_a_damaged_entry_is_said_and_made_anew(
    damage: Callable[[str, bytes], bytes], planned: list[Graph]
) -> None:
    store = MemoryStore()
    first = await Plans(store).plan(STEP, ASKED)
    (name,) = await store.refs()
    entry = await store.get_ref(name)
    assert entry is not None
    await store.set_ref(name, damage(name.split("-")[2], entry))
    second = await Plans(store).plan(STEP, ASKED)
    assert second.address == first.address
    assert len(second.notices) == 1
    assert second.notices[0].startswith("A kept plan could not be used and is made anew: ")
    assert await Plans(store).plan(STEP, ASKED) == first
    assert len(planned) == 2


async def test_the_oldest_makes_room(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(plans, "KEPT", 3)
    store = FolderStore(tmp_path)
    await store.set_ref("plan-of-mine", b"not ours")
    graphs = [trace(lambda x: x + 1.0, x=ArrayType((length,), "f32")) for length in range(1, 6)]
    for graph in graphs:
        await Plans(store).plan(graph, ASKED)
    names = await store.refs("plan-0")
    assert [name.split("-")[1] for name in names] == ["0000000002", "0000000003", "0000000004"]
    assert await store.refs("plan-o") == ["plan-of-mine"]


class Refusing(MemoryStore):
    """A store that is full, or gone."""

    async def set_ref(self, name: str, data: bytes) -> None:
        raise ScellisError("SCL-STORE-FULL", "The disk is full.")


async def test_a_store_that_fails_costs_time_and_is_said(planned: list[Graph]) -> None:
    store = Refusing()
    for number in (1, 2):
        plan = await Plans(store).plan(STEP, ASKED)
        assert plan.notices == ("The plan is not kept for the next time: The disk is full.",)
        assert len(planned) == number


async def test_a_plan_that_is_too_long_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plans, "ENTRY_LIMIT", 100)
    store = MemoryStore()
    (notice,) = (await Plans(store).plan(STEP, ASKED)).notices
    assert "more than 100" in notice
    assert await store.refs() == []


async def test_names_that_none_of_us_gave_make_room(planned: list[Graph]) -> None:
    store = MemoryStore()
    await store.set_ref(f"plan-9999999999-{'0' * 64}", b"")
    for _ in range(2):
        await Plans(store).plan(STEP, ASKED)
    assert len(planned) == 1
    (name,) = await store.refs()
    assert name.startswith("plan-0000000000-")

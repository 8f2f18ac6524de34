"""What a training takes on a device, from its plans' own buffers: of which kind they are when it is fullest.

All buffers are made before the first step and stay until the last, so the most that a training takes is the
sum of them all. Arrays that are not alive at the same time share buffers; what each holds is said for the
step at which those that are alive take most. What then waits for another step is workspace.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TypeVar

import attrs

from scellis.device.protocol import Planned
from scellis.graph.cuts import boxes
from scellis.graph.graph import Graph
from scellis.graph.places import is_derived, part_of
from scellis.kernels.liveness import fullest
from scellis.kernels.plan import ArrayPlan
from scellis.sml.training import TrainingRecord
from scellis.train.step import Measure, Step

KINDS = (
    "parameters", "master", "optimizer", "gradients", "activations", "batch", "workspace", "validation",
    "reading",
)  # fmt: skip
"""Parameters as products read them, and what layers keep; the f32 master copy, where they read f16; the
optimizer's state; gradients, those of activations too; what forward leaves for backward; data and numbers
that a step is given; what is no longer or not yet one of these; the buffers of the validation, with its own
copy of the parameters; staging of what is read back."""

T = TypeVar("T")


@attrs.frozen
class LayerMemory:
    """What one layer takes at the fullest step, in bytes by kind; all of its `repeat` turns together."""

    name: str
    repeat: int
    kinds: Mapping[str, int]

    @property
    def bytes(self) -> int:
        return sum(self.kinds.values())


@attrs.frozen
class Memory:
    """What a training takes on a device, in bytes: `kinds` together are all that it ever holds at a time."""

    kinds: Mapping[str, int]
    layers: tuple[LayerMemory, ...]
    fixed_bytes: int
    """what no batch size changes: parameters and what is kept with them, for the step and for validation"""
    step: int
    steps: int
    """the fullest of so many kernels"""
    place: str
    """where that kernel comes from"""
    largest_bytes: int
    """of one array"""
    cut: int
    """arrays that are cut in parts, for the device binds no larger ones"""
    notices: tuple[str, ...]
    """what the device does in another way than was asked for"""

    @property
    def bytes(self) -> int:
        """The most that is alive at a time."""
        return sum(self.kinds.values())


def memory_of(
    record: TrainingRecord, step: Step, measure: Measure, stepping: Planned, measuring: Planned
) -> Memory:
    """What the plans of a record's step and validation take."""
    plan, full = stepping.plan, fullest(stepping.plan)
    names, kept = _parts(plan, step.inputs), _parts(plan, step.kept)
    owners = dict(zip(plan.inputs, zip(names, kept, strict=True), strict=True))
    nodes = _kinds(plan.graph, dict(zip(plan.graph.inputs, names, strict=True)))
    homes = {name: layer.name for layer in record.layers for name in layer.names}
    kinds: Counter[str] = Counter()
    layers = {layer.name: Counter[str]() for layer in record.layers}
    for buffer, size in enumerate(plan.sizes):
        node = full.held.get(buffer)
        if buffer in owners:
            name, stays = owners[buffer]
            kind = _kind_of_kept(name, record.precision) if stays else "batch"
            part = name.split("/")[1] if "/" in name else ""
        elif node is None:
            kind, part = "workspace", ""
        else:
            kind, part = nodes[node], part_of(plan.graph.places[node])
        kinds[kind] += size
        if part in homes:
            layers[homes[part]][kind] += size
    again = _parts(measuring.plan, measure.kept)
    kinds["validation"] = measuring.bytes
    kinds["reading"] = stepping.bytes - plan.bytes + max(_of_inputs(plan, kept))
    stored = {*plan.graph.inputs, *(root for at in plan.steps for root in at.kernel.roots)}
    return Memory(
        {kind: kinds[kind] for kind in KINDS},
        tuple(
            LayerMemory(layer.name, layer.repeat, {kind: layers[layer.name][kind] for kind in KINDS})
            for layer in record.layers
        ),
        sum(_of_inputs(plan, kept)) + sum(_of_inputs(measuring.plan, again)),
        full.step,
        len(plan.steps),
        plan.graph.places[plan.steps[full.step].kernel.roots[0]],
        max(map(plan.size_bytes, stored)),
        sum(len(boxes(cut)) > 1 for cut in plan.split.cuts),
        plan.notices,
    )


def _parts(plan: ArrayPlan, of_inputs: Sequence[T]) -> list[T]:
    """What is said of each input, for each of the parts that it is cut in."""
    cut = zip(of_inputs, plan.split.inputs, strict=True)
    return [said for said, parted in cut for _ in parted.boxes]


def _of_inputs(plan: ArrayPlan, chosen: Sequence[bool]) -> list[int]:
    """The bytes of those inputs that are chosen."""
    found = zip(plan.graph.inputs, chosen, strict=True)
    return [plan.size_bytes(node) for node, chooses in found if chooses]


def _kind_of_kept(name: str, precision: str) -> str:
    """The kind of an array that stays from step to step."""
    family = name.partition("/")[0]
    if family == "parameter":
        return "parameters" if precision == "f32" else "master"
    return {"model": "parameters", "accumulated": "gradients"}.get(family, "optimizer")


def _kinds(graph: Graph, inputs: Mapping[int, str]) -> list[str]:
    """The kind of each node that is no input, by what it is computed from."""
    derived, given, known = (bytearray(len(graph.nodes)) for _ in range(3))
    found = []
    for index, node in enumerate(graph.nodes):
        # What a barrier waits for is no part of its value.
        args = node.args[:1] if node.op == "barrier" else node.args
        here = is_derived(graph.places[index])
        name = inputs.get(index, "")
        known[index] = name.startswith("parameter/") or any(known[at] for at in args)
        given[index] = (bool(name) and not name.startswith("parameter/")) or any(given[at] for at in args)
        derived[index] = here or any(derived[at] for at in args)
        if here:
            found.append("gradients")
        elif derived[index]:
            found.append("workspace")
        else:
            found.append("parameters" if known[index] and not given[index] else "activations")
    return found

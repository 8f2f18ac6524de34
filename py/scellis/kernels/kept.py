"""A plan as bytes, to be kept for the next time that its graph is compiled."""

from __future__ import annotations

import json
import zlib
from collections.abc import Sequence
from typing import Any

import attrs
import cattrs

from scellis.errors import ScellisError
from scellis.graph.cuts import Box, Cut
from scellis.graph.graph import Graph
from scellis.graph.split import Parted, Split
from scellis.kernels.assembly import ArrayKernel
from scellis.kernels.config import GRID_LIMIT
from scellis.kernels.fit import ELEMENT_BYTES, MOST_BYTES, size_bytes
from scellis.kernels.plan import ArrayPlan, Step

TEXT_LIMIT = 32 * 1024 * 1024
"""Bytes of a plan's JSON: it is compressed to a tenth of that."""

_converter = cattrs.Converter(forbid_extra_keys=True)


def _exactly(value: object, kind: type) -> object:
    if type(value) is not kind:
        raise ValueError(f"{value!r:.20} is of another type than {kind.__name__}")
    return value


for _kind in (bool, int, str):
    _converter.register_structure_hook(_kind, _exactly)


@attrs.frozen
class _Step:
    """One dispatch, whose kernel is text number `text`."""

    text: int
    reads: tuple[int, ...]
    roots: tuple[int, ...]
    workgroups: tuple[int, int, int]
    buffers: tuple[int, ...]


@attrs.frozen
class _Parts:
    """What a split says beside its whole, where there is more than that."""

    graph: dict[str, Any]
    inputs: tuple[tuple[Box, ...], ...]
    outputs: tuple[tuple[Box, ...], ...]
    cuts: tuple[Cut, ...]
    origin: tuple[int, ...]


@attrs.frozen
class _Plan:
    """An `ArrayPlan`, each text once."""

    whole: dict[str, Any]
    parts: _Parts | None
    texts: tuple[tuple[str, str], ...]
    steps: tuple[_Step, ...]
    sizes: tuple[int, ...]
    inputs: tuple[int, ...]
    outputs: tuple[int, ...]
    copies: tuple[tuple[int, int], ...]
    halves: bool
    notices: tuple[str, ...]


def plan_to_bytes(plan: ArrayPlan) -> bytes:
    """What `plan_from_bytes` reads. Raises `SCL-KERNEL-KEPT` for a plan that is too long to be read again."""
    split = plan.split
    texts = {(step.kernel.template, step.kernel.wgsl): None for step in plan.steps}
    number = {text: place for place, text in enumerate(texts)}
    parts = None
    if split.graph is not split.whole:
        parts = _Parts(
            split.graph.listing(), _boxes(split.inputs), _boxes(split.outputs), split.cuts, split.origin
        )
    form = _Plan(
        split.whole.listing(),
        parts,
        tuple(texts),
        tuple(
            _Step(
                number[kernel.template, kernel.wgsl], kernel.reads, kernel.roots, kernel.workgroups, buffers
            )
            for kernel, buffers in ((step.kernel, step.buffers) for step in plan.steps)
        ),
        plan.sizes,
        plan.inputs,
        plan.outputs,
        plan.copies,
        plan.halves,
        plan.notices,
    )
    text = json.dumps(_converter.unstructure(form), separators=(",", ":")).encode()
    if len(text) > TEXT_LIMIT:
        raise _no_plan(f"its text has more than {TEXT_LIMIT} bytes")
    return zlib.compress(text)


def plan_from_bytes(data: bytes) -> ArrayPlan:
    """Read what `plan_to_bytes` wrote. Raises `SCL-KERNEL-KEPT`, `SCL-GRAPH-*`."""
    unpacking = zlib.decompressobj()
    try:
        text = unpacking.decompress(data, TEXT_LIMIT)
        if not unpacking.eof or unpacking.unused_data:
            raise _no_plan("its bytes do not end where its text does")
        form = _converter.structure(json.loads(text), _Plan)
    except (zlib.error, ValueError, TypeError, RecursionError, cattrs.BaseValidationError) as error:
        raise _no_plan("its bytes hold something else") from error
    split = _split(form)
    plan = ArrayPlan(
        split,
        tuple(
            Step(
                ArrayKernel(*_at(form.texts, step.text), step.reads, step.roots, step.workgroups),
                step.buffers,
            )
            for step in form.steps
        ),
        *(form.sizes, form.inputs, form.outputs, form.copies, form.halves, form.notices),
    )
    _check(plan)
    return plan


def _split(form: _Plan) -> Split:
    whole = Graph.from_listing(form.whole)
    if form.parts is None:
        return Split.none(whole)
    parts = form.parts
    return Split(
        whole,
        Graph.from_listing(parts.graph),
        _parted(whole, whole.inputs, parts.inputs),
        _parted(whole, whole.outputs, parts.outputs),
        parts.cuts,
        parts.origin,
    )


def _boxes(arrays: Sequence[Parted]) -> tuple[tuple[Box, ...], ...]:
    return tuple(parted.boxes for parted in arrays)


def _parted(whole: Graph, nodes: Sequence[int], boxes: Sequence[tuple[Box, ...]]) -> tuple[Parted, ...]:
    if len(nodes) != len(boxes):
        raise _no_plan("it has parts of other arrays than the graph's")
    return tuple(Parted(whole.types[node], of) for node, of in zip(nodes, boxes, strict=True))


def _check(plan: ArrayPlan) -> None:
    """Raise `SCL-KERNEL-KEPT` where a number names no node or buffer."""
    nodes, buffers = range(len(plan.graph.nodes)), range(len(plan.sizes))
    named = [node for step in plan.steps for node in (*step.kernel.reads, *step.kernel.roots)]
    bound = [buffer for step in plan.steps for buffer in step.buffers]
    bound += [*plan.inputs, *plan.outputs, *(buffer for pair in plan.copies for buffer in pair)]
    boxes = [sum(len(parted.boxes) for parted in side) for side in (plan.split.inputs, plan.split.outputs)]
    counts = [len(plan.inputs), len(plan.outputs)]
    sound = all(node in nodes for node in named) and all(buffer in buffers for buffer in bound)
    whole = counts == boxes == [len(plan.graph.inputs), len(plan.graph.outputs)]
    kernels = all(
        step.kernel.roots and len(step.buffers) == len(step.kernel.reads) + len(step.kernel.roots)
        for step in plan.steps
    )
    if not (sound and whole and kernels and len(plan.split.origin) in (0, len(nodes))):
        raise _no_plan("it names what it has not")
    graph = plan.graph
    held = [*zip(graph.inputs, plan.inputs, strict=True), *zip(graph.outputs, plan.outputs, strict=True)]
    for step in plan.steps:
        held += zip((*step.kernel.reads, *step.kernel.roots), step.buffers, strict=True)
        if not all(1 <= groups <= GRID_LIMIT for groups in step.kernel.workgroups):
            raise _no_plan("a grid of it is none")
    if not all(ELEMENT_BYTES <= size <= MOST_BYTES for size in plan.sizes) or any(
        plan.sizes[buffer] < size_bytes(graph.types[node], plan.halves) for node, buffer in held
    ):
        raise _no_plan("a buffer of it is too small, or too large")


def _at(texts: tuple[tuple[str, str], ...], number: int) -> tuple[str, str]:
    if not 0 <= number < len(texts):
        raise _no_plan("it names a kernel that it has not")
    return texts[number]


def _no_plan(why: str) -> ScellisError:
    return ScellisError("SCL-KERNEL-KEPT", f"This is no plan that was kept: {why}.")

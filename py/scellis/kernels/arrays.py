"""Lowers a group of fused nodes to one kernel that computes and stores its root."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property

import attrs

from scellis.content import address
from scellis.graph.fuse import REDUCTIONS, Group
from scellis.graph.graph import Graph
from scellis.graph.movement import int_of, shape_of
from scellis.graph.types import I32, Shape
from scellis.kernels.accumulators import accumulator
from scellis.kernels.config import GRID_LIMIT
from scellis.kernels.elements import Elements, Place
from scellis.kernels.expressions import STORED_TYPES, rounded, stored
from scellis.kernels.templates import assemble, expand

WORKGROUP = 64
"""Threads of a workgroup: every adapter has as many, and a warp or wavefront fits."""
WIDE = 256
"""Threads that share one reduction."""
SERIAL_LENGTH = 64
"""Elements that one thread reduces alone, rather than a workgroup."""
_FUNCTIONS = """\
//#include classes.wgsl
//#include numbers.wgsl
//#include trigonometry.wgsl
//#include elementary
"""


@attrs.frozen(slots=False)
class ArrayKernel:
    """One kernel: its text, the nodes whose arrays it binds before the root's, and its workgroups."""

    wgsl: str
    reads: tuple[int, ...]
    root: int
    workgroups: tuple[int, int, int]

    @cached_property
    def address(self) -> str:
        """The content address of the text: kernels of equal text are one pipeline."""
        return address(self.wgsl.encode())


def folded(workgroups: int) -> tuple[int, int, int]:
    """A grid of at least so many workgroups."""
    across = min(max(workgroups, 1), GRID_LIMIT)
    return across, -(-workgroups // across) or 1, 1


def lower_group(graph: Graph, group: Group, tier: str = "prod") -> ArrayKernel:
    """The kernel of a group."""
    op = graph.nodes[group.core].op if group.core is not None else ""
    lower = {"matmul": _matmul, "cumulative_sum": _cumulative_sum, "scatter_add": _scatter_add}
    if op in REDUCTIONS:
        return _reduction(graph, group, tier)
    return lower.get(op, _map)(graph, group, tier)


def _names(group: Group) -> dict[int, str]:
    return {node: f"a{place}" for place, node in enumerate(group.reads)}


def _bindings(graph: Graph, group: Group) -> str:
    bound = [(f"<storage, read> a{place}", node) for place, node in enumerate(group.reads)]
    bound.append(("<storage, read_write> result", group.root))
    return "\n".join(
        f"@group(0) @binding({place}) var{name}: array<{STORED_TYPES[graph.types[node].dtype]}>;"
        for place, (name, node) in enumerate(bound)
    )


def _assembled(
    graph: Graph, group: Group, tier: str, template: str, workgroups: tuple[int, int, int], **puts: object
) -> ArrayKernel:
    """A template filled; upper-case names of numbers are constants."""
    constants = {name: value for name, value in puts.items() if isinstance(value, int)}
    texts = {name: str(value) for name, value in puts.items() if not isinstance(value, int)}
    elementary = "elementary_fast.wgsl" if tier == "fast" else "elementary.wgsl"
    functions = expand(_FUNCTIONS, includes={"elementary": elementary}, puts={})
    wgsl = assemble(
        template,
        includes={},
        puts={
            "FUNCTIONS": functions,
            "BINDINGS": _bindings(graph, group),
            "CONSTANTS": "\n".join(f"const {name} = {value}u;" for name, value in constants.items()),
            **texts,
        },
    )
    return ArrayKernel(wgsl, group.reads, group.root, workgroups)


def _stored(graph: Graph, group: Group, elements: Elements, number: str) -> str:
    """Statements that compute element `number` of the root and store it."""
    value = elements.value(group.root, Place(number, None))
    elements.lines.append(f"result[{number}] = {stored(value, graph.types[group.root].dtype)};")
    return "\n".join(elements.lines)


def _map(graph: Graph, group: Group, tier: str) -> ArrayKernel:
    size = graph.types[group.root].size
    body = _stored(graph, group, Elements(graph, _names(group)), "i")
    return _assembled(
        graph, group, tier, "map.wgsl", folded(-(-size // WORKGROUP)),
        SIZE=size, WORKGROUP=WORKGROUP, ELEMENT=body,
    )  # fmt: skip


def _reduction(graph: Graph, group: Group, tier: str) -> ArrayKernel:
    assert group.core is not None
    node = graph.nodes[group.core]
    given = graph.types[node.args[0]]
    axes = shape_of(node.params, "axes") if "axes" in node.params else (int_of(node.params, "axis"),)
    length = math.prod(given.shape[axis] for axis in axes)
    size = graph.types[group.core].size
    reading = Elements(graph, _names(group))
    value = reading.value(node.args[0], _reduced_place(reading, given.shape, axes))
    searched = node.op.startswith("arg")
    reading.lines.append(f"let element = {f'Accumulator({value}, r)' if searched else value};")
    finishing = Elements(graph, _names(group))
    finishing.bind(
        group.core, "i", rounded("i32(total.place)" if searched else "total", graph.types[group.core].dtype)
    )
    # Where neighbours in the result are neighbours in memory, a thread for each reads best.
    serial = length <= SERIAL_LENGTH or (given.rank - 1 not in axes and size >= WORKGROUP)
    threads = WORKGROUP if serial else WIDE
    return _assembled(
        graph, group, tier, "reduce_serial.wgsl" if serial else "reduce.wgsl",
        folded(-(-size // threads) if serial else size),
        SIZE=size, LENGTH=length, WORKGROUP=threads,
        ACCUMULATOR=accumulator(node.op, given.dtype),
        ELEMENT="\n".join(reading.lines),
        FINISH=_stored(graph, group, finishing, "i"),
    )  # fmt: skip


def _reduced_place(elements: Elements, shape: Shape, axes: Sequence[int]) -> Place:
    """The place of element `r` of those that are reduced to element `i`."""
    kept = [axis for axis in range(len(shape)) if axis not in axes]
    outer = elements.coordinates(tuple(shape[axis] for axis in kept), Place("i", None))
    inner = elements.coordinates(tuple(shape[axis] for axis in axes), Place("r", None))
    by_axis = {**dict(zip(kept, outer, strict=True)), **dict(zip(axes, inner, strict=True))}
    return Place(None, tuple(by_axis[axis] for axis in range(len(shape))))


def _line_place(elements: Elements, shape: Shape, axis: int) -> Place:
    """The place of element `r` of line `i` along an axis."""
    rest = (*shape[:axis], *shape[axis + 1 :])
    outer = elements.coordinates(rest, Place("i", None))
    return Place(None, (*outer[:axis], "r", *outer[axis:]))


def _cumulative_sum(graph: Graph, group: Group, tier: str) -> ArrayKernel:
    assert group.core is not None
    node = graph.nodes[group.core]
    shape, axis = graph.types[group.core].shape, int_of(node.params, "axis")
    size = graph.types[group.core].size
    reading = Elements(graph, _names(group))
    place = _line_place(reading, shape, axis)
    value = reading.value(node.args[0], place)
    number = reading.numbered(shape, place)
    reading.lines.append(f"let element = {value};")
    finishing = Elements(graph, _names(group), prefix="w")
    finishing.bind(group.core, number, rounded("total", graph.types[group.core].dtype))
    lines = size // shape[axis] if size else 0
    return _assembled(
        graph, group, tier, "cumulative_sum.wgsl", folded(-(-lines // WORKGROUP)),
        SIZE=lines, LENGTH=shape[axis], WORKGROUP=WORKGROUP,
        ACCUMULATOR=accumulator("sum", graph.types[group.core].dtype),
        ELEMENT="\n".join(reading.lines),
        FINISH=_stored(graph, group, finishing, number),
    )  # fmt: skip


def _scatter_add(graph: Graph, group: Group, tier: str) -> ArrayKernel:
    assert group.core is not None
    node = graph.nodes[group.core]
    updates, indices = node.args
    shape, axis = graph.types[group.core].shape, int_of(node.params, "axis")
    setup = Elements(graph, _names(group), prefix="s")
    at = setup.coordinates(shape, Place("i", None))
    setup.lines.append(f"let target_index = {at[axis]};")
    finding = Elements(graph, _names(group), prefix="n")
    index = finding.value(indices, Place("r", ("r",)))
    last = max(shape[axis] - 1, 0)
    signed = graph.types[indices].dtype == I32
    finding.lines.append(
        f"let index = {f'u32(clamp({index}, 0, {last}))' if signed else f'min({index}, {last}u)'};"
    )
    reading = Elements(graph, _names(group))
    value = reading.value(updates, Place(None, (*at[:axis], "r", *at[axis + 1 :])))
    reading.lines.append(f"let element = {value};")
    finishing = Elements(graph, _names(group), prefix="w")
    finishing.bind(group.core, "i", rounded("total", graph.types[group.core].dtype))
    size = graph.types[group.core].size
    return _assembled(
        graph, group, tier, "scatter_add.wgsl", folded(-(-size // WORKGROUP)),
        SIZE=size, LENGTH=graph.types[indices].size, WORKGROUP=WORKGROUP,
        ACCUMULATOR=accumulator("sum", graph.types[group.core].dtype),
        SETUP="\n".join(setup.lines),
        INDEX="\n".join(finding.lines),
        ELEMENT="\n".join(reading.lines),
        FINISH=_stored(graph, group, finishing, "i"),
    )  # fmt: skip


def _matmul(graph: Graph, group: Group, tier: str) -> ArrayKernel:
    assert group.core is not None
    node = graph.nodes[group.core]
    a, b = (graph.types[argument].shape for argument in node.args)
    batch, (m, k), n = math.prod(a[:-2]), a[-2:], b[-1]
    functions = [
        _factor(graph, group, "a_at", node.args[0], ("row", "k"), (m, k)),
        _factor(graph, group, "b_at", node.args[1], ("k", "column"), (k, n)),
    ]
    finishing = Elements(graph, _names(group))
    number = f"(batch * {m}u + row) * {n}u + column"
    finishing.lines.append(f"let at = {number};")
    finishing.bind(group.core, "at", rounded("total", graph.types[group.core].dtype))
    body = _stored(graph, group, finishing, "at")
    functions.append(f"fn finish(batch: u32, row: u32, column: u32, total: f32) {{\n{_indented(body)}\n}}")
    return _assembled(
        graph, group, tier, "matmul_registers.wgsl",
        (-(-n // 32), -(-m // 32), batch),
        M=m, K=k, N=n,
        ACCESS="\n".join(functions),
    )  # fmt: skip


def _factor(
    graph: Graph, group: Group, name: str, node: int, axes: tuple[str, str], lengths: tuple[int, int]
) -> str:
    """A function that reads an element of a factor; past the edge it reads the last one there is."""
    reading = Elements(graph, _names(group))
    shape = graph.types[node].shape
    outer = reading.coordinates(shape[:-2], Place("batch", None))
    inner = tuple(reading.clamped(axis, length) for axis, length in zip(axes, lengths, strict=True))
    value = reading.value(node, Place(None, (*outer, *inner)))
    body = _indented("\n".join([*reading.lines, f"return {value};"]))
    return f"fn {name}(batch: u32, {axes[0]}: u32, {axes[1]}: u32) -> f32 {{\n{body}\n}}"


def _indented(text: str) -> str:
    return "\n".join(f"  {line}" for line in text.splitlines())

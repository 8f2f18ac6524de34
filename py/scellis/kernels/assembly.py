"""What the lowering of every group shares: bindings, the grid, and a template filled."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property

import attrs

from scellis.content import address
from scellis.graph.fuse import Group
from scellis.graph.graph import Graph
from scellis.kernels.config import GRID_LIMIT
from scellis.kernels.elements import Elements, Place
from scellis.kernels.expressions import STORED_TYPES, stored
from scellis.kernels.templates import assemble, functions, read_wgsl

WORKGROUP = 64
"""Threads of a workgroup: every adapter has as many, and a warp or wavefront fits."""

LIBRARY = (
    *(
        "classes.wgsl",
        "numbers.wgsl",
        "neighbours.wgsl",
        "division.wgsl",
        "trigonometry.wgsl",
        "elementary",
        "logarithms",
    ),
    *("tangent.wgsl", "inverse_trigonometry.wgsl", "hyperbolic.wgsl", "hypot.wgsl", "pow.wgsl"),
    *("error_function.wgsl", "gamma.wgsl", "digamma.wgsl", "random_words.wgsl", "half.wgsl"),
    "subgroups.wgsl",
    *("random_below.wgsl", "random_gamma.wgsl", "random_counts.wgsl", "random_weights.wgsl"),
)
"""The files of functions that kernels may call; those without an ending are of the tier."""

MATRICES_ENABLED = """\
enable f16;
enable subgroups;
enable chromium_experimental_subgroup_matrix;
diagnostic(off, chromium.subgroup_matrix_uniformity); // which k and tile it is all threads agree on

alias Half = f16;
"""
SUBGROUPS_ENABLED = "enable subgroups;\n"


@attrs.frozen(slots=False)
class ArrayKernel:
    """One kernel: its text, the nodes whose arrays it reads and writes, bound in this order, and its grid."""

    template: str
    wgsl: str
    reads: tuple[int, ...]
    roots: tuple[int, ...]
    workgroups: tuple[int, int, int]

    @cached_property
    def address(self) -> str:
        """The content address of the text: kernels of equal text are one pipeline."""
        return address(self.wgsl.encode())


def with_head(kernel: ArrayKernel, halves: bool) -> ArrayKernel:
    """The kernel with what it enables, and what `Half` is: f16 on a device that has it, else f32."""
    wgsl = kernel.wgsl
    if "subgroup_matrix" in wgsl:
        return attrs.evolve(kernel, wgsl=f"{MATRICES_ENABLED}\n{wgsl}")
    said = SUBGROUPS_ENABLED if "subgroup_id" in wgsl else ""
    if "Half" in wgsl and re.search(r"\bHalf\b", wgsl):  # most are told at once
        half = "enable f16;\n\nalias Half = f16;\n" if halves else "\nalias Half = f32; // f16 is emulated\n"
        said = f"{said}{half}".lstrip()
    return attrs.evolve(kernel, wgsl=f"{said}\n{wgsl}") if said else kernel


def folded(workgroups: int) -> tuple[int, int, int]:
    """A grid of at least so many workgroups."""
    across = min(max(workgroups, 1), GRID_LIMIT)
    return across, -(-workgroups // across) or 1, 1


def only_read(group: Group) -> tuple[int, ...]:
    """The arrays that a group reads and does not write over."""
    written = {given for _, given in group.over}
    return tuple(node for node in group.reads if node not in written)


def names(group: Group) -> dict[int, str]:
    """How the arrays that a group reads are called in its kernel."""
    named = {node: f"a{place}" for place, node in enumerate(only_read(group))}
    return named | {given: f"result{group.roots.index(root)}" for root, given in group.over}


def store(graph: Graph, group: Group, roots: Sequence[int], elements: Elements, place: Place) -> None:
    """Add the statements that compute an element of each root, then store them: one may lie over a read."""
    values = [elements.value(root, place) for root in roots]
    for root, value in zip(roots, values, strict=True):
        number = elements.numbered(graph.types[root].shape, place)
        name = f"result{group.roots.index(root)}"
        elements.lines.append(f"{name}[{number}] = {stored(value, graph.types[root].dtype)};")


def assembled(
    graph: Graph,
    group: Group,
    tier: str,
    template: str,
    workgroups: tuple[int, int, int],
    constants: dict[str, int],
    puts: dict[str, str],
    quads: frozenset[int] = frozenset(),
    eights: frozenset[int] = frozenset(),
) -> ArrayKernel:
    """The kernel of a group from a template.

    Of `quads` four elements at a time are bound, of `eights`, which are of f16, eight as four words.
    """
    ending = "_fast.wgsl" if tier == "fast" else ".wgsl"
    files = [name if name.endswith(".wgsl") else name + ending for name in LIBRARY]
    wgsl = assemble(
        template,
        includes={},
        puts={
            "FUNCTIONS": functions([read_wgsl(template), *puts.values()], files),
            "BINDINGS": _bindings(graph, group, quads, eights),
            "CONSTANTS": "\n".join(f"const {name} = {value}u;" for name, value in constants.items()),
            **puts,
        },
    )
    return ArrayKernel(template, wgsl, only_read(group), group.roots, workgroups)


def _bindings(graph: Graph, group: Group, quads: frozenset[int], eights: frozenset[int]) -> str:
    def held(node: int) -> str:
        if node in eights:
            return "vec4<u32>"
        kind = STORED_TYPES[graph.types[node].dtype]
        return f"vec4<{kind}>" if node in quads else kind

    bound = [(f"<storage, read> a{place}", node) for place, node in enumerate(only_read(group))]
    bound += [(f"<storage, read_write> result{place}", node) for place, node in enumerate(group.roots)]
    return "\n".join(
        f"@group(0) @binding({place}) var{name}: array<{held(node)}>;"
        for place, (name, node) in enumerate(bound)
    )

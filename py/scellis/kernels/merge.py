"""Joins groups that go over the same rows, or the same elements, to kernels of several results.

What one group stores for the next is then computed where it is used, and stored only if something else needs
it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import attrs

from scellis.graph.drawn import DRAWN_OPS
from scellis.graph.fuse import NODE_LIMIT, WORK_LIMIT, Group, computed, work_of
from scellis.graph.graph import Graph
from scellis.kernels.arrays import lower_group
from scellis.kernels.attention import kinship
from scellis.kernels.elements import Unbound
from scellis.kernels.rows import Rows, rows_of, rows_of_core
from scellis.kernels.waits import Waits

LOOK_BACK = 24
"""Kernels before a group that it is tried with, beside those that it reads from."""
SMALL = 65_536
"""Elements up to which results without a common input share a kernel: it costs less than a dispatch."""


@attrs.define
class _Kernel:
    """A kernel to be, and the groups it is made of."""

    group: Group
    members: frozenset[int]


def merge(graph: Graph, groups: Sequence[Group], bindings: int) -> list[Group]:
    """The groups, joined where that is possible, in an order in which each finds what it reads."""
    outputs = set(graph.outputs)
    readers: dict[int, set[int]] = {}
    for number, group in enumerate(groups):
        for node in group.reads:
            readers.setdefault(node, set()).add(number)
    kernels: list[_Kernel] = []
    waits = Waits()
    home: dict[int, int] = {}  # kernel of each root
    kin: dict[tuple[object, ...], int] = {}  # kernel of each kind of attention

    def joined(kernel: _Kernel, number: int) -> Group | None:
        """The group of a kernel with one more, None where they do not go together."""
        first, second = kernel.group, groups[number]
        passes = _condition(graph, first, second)
        if passes is None:
            return None
        members = kernel.members | {number}
        roots = [
            root
            for root in (*first.roots, *second.roots)
            if root in outputs or not readers.get(root, set()) <= members
        ]
        reads = {*first.reads, *second.reads} - {*first.roots, *second.roots}
        group = Group(
            tuple(sorted(roots)), tuple(sorted(reads)), tuple(sorted((*first.cores, *second.cores)))
        )
        fits = roots and len(roots) + len(reads) <= bindings and passes(graph, group)
        return group if fits else None

    for number, group in enumerate(groups):
        providers = {home[node] for node in group.reads if node in home}
        recent = range(max(len(kernels) - LOOK_BACK, 0), len(kernels))
        alike = {kin[key] for key in _kin(graph, group) if key in kin}
        # What it reads from first: joined with that, an array is neither stored nor read again.
        for place in sorted(
            {*recent, *providers, *alike}, key=lambda at: (at in providers, at), reverse=True
        ):
            beside = [provider for provider in providers if provider != place]
            if any(waits.has(provider, place) for provider in beside):
                continue  # what it waits for waits for that one
            found = joined(kernels[place], number)
            if found is None:
                continue
            kernels[place].group = found
            kernels[place].members |= {number}
            waits.add(place, beside)
            break
        else:
            place = len(kernels)
            kernels.append(_Kernel(group, frozenset({number})))
            waits.append(providers)
        home |= dict.fromkeys(group.roots, place)
        kin |= dict.fromkeys(_kin(graph, group), place)
    return [kernels[place].group for place in waits.order()]


def _kin(graph: Graph, group: Group) -> list[tuple[object, ...]]:
    """What tells the kernels of attention that a group can be one with."""
    return [key for core in group.cores if (key := kinship(graph, core)) is not None]


def _condition(graph: Graph, first: Group, second: Group) -> Callable[[Graph, Group], bool] | None:
    """What a group of both must pass, None where they do not belong together whatever it is."""
    if first.cores and second.cores and set(_kin(graph, first)) & set(_kin(graph, second)):
        return _is_one_kernel
    related = {*first.reads, *first.roots} & {*second.reads, *second.roots}
    if first.cores and not second.cores and rows_of_core(graph, first.cores[0]) is None:
        return _follows if related & {*first.roots} else None
    if not (first.cores or second.cores):
        sizes = {graph.types[root].size for root in (*first.roots, *second.roots)}
        return _is_light if len(sizes) == 1 and (related or sizes.pop() <= SMALL) else None
    spaces = {rows_of_core(graph, core) for core in (*first.cores, *second.cores)}
    rows = spaces.pop() if len(spaces) == 1 else None
    if rows is None or not related or not _over(graph, (*first.roots, *second.roots), rows):
        return None
    return _goes_over_rows


def _goes_over_rows(graph: Graph, both: Group) -> bool:
    """Whether one kernel can compute all of it, each row or element from its own."""
    return rows_of(graph, both) is not None and _is_one_kernel(graph, both)


def _follows(graph: Graph, both: Group) -> bool:
    """Whether what a kernel with one core computes can be followed by a map in the same threads."""
    if len(both.cores) != 1:
        return False
    (core,) = both.cores
    same = all(graph.types[root].size == graph.types[core].size for root in both.roots)
    return same and _is_one_kernel(graph, both)


def _is_one_kernel(graph: Graph, group: Group) -> bool:
    """Whether a kernel may compute so much, and has all of it at the places where it is needed."""
    if not _is_light(graph, group):
        return False
    try:
        lower_group(graph, group)
    except Unbound:
        return False
    return True


def _over(graph: Graph, roots: Sequence[int], rows: Rows) -> bool:
    return all(graph.types[root].size in (rows.rows, rows.rows * rows.length) for root in roots)


def _is_light(graph: Graph, group: Group) -> bool:
    """Whether what the kernel computes for an element stays within what one may."""
    nodes = computed(graph, group.roots, group.reads)
    # What goes over rows or tiles is written several times in a kernel: too often for a draw by rejection.
    if group.cores and any(graph.nodes[node].op in DRAWN_OPS for node in nodes):
        return False
    return work_of(graph, nodes) <= WORK_LIMIT and len(nodes) <= NODE_LIMIT

"""Lowers a matrix product to matmul_registers.wgsl, a block a thread: for processors that play a GPU."""

from __future__ import annotations

import math

import attrs

from scellis.graph.fuse import Group
from scellis.graph.graph import Graph
from scellis.kernels.assembly import ArrayKernel, assembled, folded, names, store
from scellis.kernels.block import Block, Factor, block_of
from scellis.kernels.elements import Elements, Place
from scellis.kernels.expressions import rounded
from scellis.kernels.fours import arrays_of
from scellis.kernels.hoist import hoisted
from scellis.kernels.quads import by_quads, quad
from scellis.kernels.views import view_of

THREADS = 8
"""Threads of a workgroup: few, so that each of a processor's cores has some."""
VARYING = ("row", "first", "column", "total", "totals", "q", "i")
"""What is another for each element that is stored."""


def lower_in_registers(graph: Graph, group: Group, tier: str) -> ArrayKernel:
    """The kernel of a group whose core is a matrix product."""
    (core,) = group.cores
    a, b = (graph.types[argument].shape for argument in graph.nodes[core].args)
    block = block_of(math.prod(a[:-2]), a[-2], a[-1], b[-1])
    factors, quads = _factors(graph, group, block)
    before, finish = _finish(graph, group, block, quads)
    viewed = [factor for factor in factors if factor.view is not None]
    last = [attrs.evolve(factor, step=1) for factor in factors]
    puts = {
        "ACCESS": [_access(graph, group, factor) for factor in factors if factor.view is None],
        "PLACES": [*(factor.first() for factor in viewed), *before],
        "SUMS": _sums(graph, group, block, factors),
        "LAST": _sums(graph, group, block, last) if block.k % block.step else [],
        "FINISH": finish,
    }
    constants = {**block.constants, "THREADS": THREADS}
    workgroups = -(-constants["ACROSS"] * constants["DOWN"] // THREADS)
    return assembled(
        graph,
        group,
        tier,
        "matmul_registers.wgsl",
        (*folded(workgroups)[:2], block.batch),
        constants,
        {name: "\n".join(lines) for name, lines in puts.items()},
        quads,
    )


def _factors(graph: Graph, group: Group, block: Block) -> tuple[list[Factor], frozenset[int]]:
    """Both factors, and the arrays that are bound as fours: those that all who read them read so."""
    a, b = graph.nodes[group.cores[0]].args
    factors = [
        Factor("a", a, view_of(graph, group, a), -2, "row0", block.rows, block.step),
        Factor("b", b, view_of(graph, group, b), -1, "column0", block.columns, block.step),
    ]
    following = Elements(graph, names(group))
    _values(graph, group, following)
    quads = by_quads(graph, following.read, group.roots) if block.width == 4 else frozenset()
    single = {node for node, _ in following.read} - quads
    for factor in factors:
        if not factor.in_fours(set()).fours:
            single |= arrays_of(graph, group, factor.node)
    factors = [factor.in_fours(single) for factor in factors]
    read = {factor.view.array for factor in factors if factor.view and factor.fours}
    return factors, (quads | read) - single


def _sums(graph: Graph, group: Group, block: Block, factors: list[Factor]) -> list[str]:
    """The statements that read the terms from `k` on, and add them."""
    read = [line for factor in factors for line in factor.read(graph, group)]
    return [*read, *block.sums(*factors)]


def _access(graph: Graph, group: Group, factor: Factor) -> str:
    """A function that reads an element of a factor; past the edge it reads whatever WebGPU gives."""
    reading = Elements(graph, names(group))
    outer = reading.coordinates(graph.types[factor.node].shape[:-2], Place("batch", None))
    axes = ("at", "k") if factor.across == -2 else ("k", "at")
    value = reading.value(factor.node, Place(None, (*outer, *axes)))
    body = "\n".join(f"  {line}" for line in [*reading.lines, f"return {value};"])
    return f"fn {factor.letter}_at(batch: u32, at: u32, k: u32) -> f32 {{\n{body}\n}}"


def _values(graph: Graph, group: Group, elements: Elements) -> dict[int, str]:
    """The values of the roots at element `i`: what follows the product."""
    (core,) = group.cores
    found = graph.types[core]
    elements.bind(core, "i", rounded("totals[total + lane]", found.dtype))
    at = (*elements.coordinates(found.shape[:-2], Place("batch", None)), "row", "column")
    alike = {root: graph.types[root].shape == found.shape for root in group.roots}
    return {root: elements.value(root, Place("i", at if same else None)) for root, same in alike.items()}


def _finish(graph: Graph, group: Group, block: Block, quads: frozenset[int]) -> tuple[list[str], list[str]]:
    """The statements that compute what follows, for as many elements as are stored together.

    First those that are the same for all of the block.
    """

    def fresh() -> Elements:
        return Elements(graph, names(group))

    def values(elements: Elements) -> dict[int, str]:
        return _values(graph, group, elements)

    if block.width == 4:
        return quad(graph, group, quads, fresh, values, ["let column = first + lane;"], VARYING)
    elements = fresh()
    values(elements)
    store(graph, group, group.roots, elements, Place("i", None))
    before, lines = hoisted(elements.lines, VARYING)
    return before, ["const lane = 0u;", "let i = q;", "let column = first;", *lines]

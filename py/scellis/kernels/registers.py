"""Writes the statements of matmul_registers.wgsl: a block of the product in registers, read in fours."""

from __future__ import annotations

import attrs

from scellis.graph.fuse import Group, computed, read_by, widens
from scellis.graph.graph import Graph
from scellis.graph.movement import shape_of
from scellis.graph.types import F16
from scellis.kernels.assembly import names
from scellis.kernels.elements import LANES, Elements, Place

MANY, FEW = 8, 4
"""Rows, and columns, of the result that a thread computes, by how many there are."""


@attrs.frozen
class Block:
    """`rows` by `columns` of the product a thread, its terms added `step` at a time.

    `left` and `right` are the arrays that are read in fours, and whether they are stored the other way round;
    None for a factor whose elements are computed one by one.
    """

    rows: int
    columns: int
    step: int
    left: tuple[int, bool] | None
    right: tuple[int, bool] | None

    @property
    def quads(self) -> frozenset[int]:
        """The arrays that are bound as fours."""
        return frozenset(factor[0] for factor in (self.left, self.right) if factor is not None)


def block_of(graph: Graph, group: Group, m: int, k: int, n: int) -> Block:
    """How a product is computed."""
    a, b = (_stored(graph, group, argument) for argument in graph.nodes[group.cores[0]].args)
    other = _read_besides(graph, group)
    # Neighbours in memory are terms of a plain left and a turned right factor, else rows or columns.
    left = a if a and a[0] not in other and (m if a[1] else k) % 4 == 0 else None
    right = b if b and b[0] not in other and (k if b[1] else n) % 4 == 0 else None
    step = 4 if left and right and k % 4 == 0 else 1
    if step == 1:  # what lies along the terms is then read one by one
        left = left if left and left[1] else None
        right = right if right and not right[1] else None
    # An array is bound as fours or as elements, whichever factor reads it.
    first, second = (_under(graph, group, argument) for argument in graph.nodes[group.cores[0]].args)
    if left is None and right and right[0] in first:
        right = None
    if right is None and left and left[0] in second:
        left = None
    rows, columns = (MANY if length > 4 * MANY else FEW for length in (m, n))
    return Block(rows, columns, step, left, right)


def statements(graph: Graph, group: Group, block: Block) -> dict[str, str]:
    """What is put into the template: TOTALS, SUMS and STORES."""
    named = names(group)
    quads = range(block.columns // 4)
    totals = [f"var t{row}_{quad} = vec4<f32>();" for row in range(block.rows) for quad in quads]
    sums = [*_left(graph, block, named), *_right(graph, block, named)]
    for term in range(block.step):
        for row in range(block.rows):
            sums += [f"t{row}_{quad} += {_factor(block, row, term)} * r{term}_{quad};" for quad in quads]
    stores = [
        f"put(batch, row0 + {row}u, column0 + {4 * quad}u, t{row}_{quad});"
        for row in range(block.rows)
        for quad in quads
    ]
    return {"TOTALS": "\n".join(totals), "SUMS": "\n".join(sums), "STORES": "\n".join(stores)}


def _four(graph: Graph, named: dict[int, str], array: int, place: str) -> str:
    """Four elements of an array that is bound in fours."""
    text = f"{named[array]}[{place}]"
    return f"vec4<f32>({text})" if graph.types[array].dtype == F16 else text


def _left(graph: Graph, block: Block, named: dict[int, str]) -> list[str]:
    """The left factor's elements: `l` is four terms of a row, or four rows of a term."""
    if block.left is None:
        return [
            f"let l{row}_{term} = a_at(batch, row0 + {row}u, k + {term}u);"
            for row in range(block.rows)
            for term in range(block.step)
        ]
    array, turned = block.left
    if turned:
        return [
            f"let l{term}_{part} = "
            + _four(graph, named, array, f"((batch * K + k + {term}u) * M + row0) / 4u + {part}u")
            + ";"
            for term in range(block.step)
            for part in range(block.rows // 4)
        ]
    return [
        f"let l{row} = {_four(graph, named, array, f'((batch * M + row0 + {row}u) * K + k) / 4u')};"
        for row in range(block.rows)
    ]


def _factor(block: Block, row: int, term: int) -> str:
    """One element of the left factor."""
    if block.left is None:
        return f"l{row}_{term}"
    return f"l{term}_{row // 4}.{LANES[row % 4]}" if block.left[1] else f"l{row}.{LANES[term]}"


def _right(graph: Graph, block: Block, named: dict[int, str]) -> list[str]:
    """The right factor's elements: `r` is four columns of a term."""
    lines: list[str] = []
    for quad in range(block.columns // 4):
        columns = [4 * quad + lane for lane in range(4)]
        if block.right is not None and block.right[1]:
            lines += [
                f"let c{at} = "
                + _four(graph, named, block.right[0], f"((batch * N + column0 + {at}u) * K + k) / 4u")
                + ";"
                for at in columns
            ]
        for term in range(block.step):
            if block.right is None:
                values = [f"b_at(batch, k + {term}u, column0 + {at}u)" for at in columns]
            elif block.right[1]:
                values = [f"c{at}.{LANES[term]}" for at in columns]
            else:
                place = f"((batch * K + k + {term}u) * N + column0) / 4u + {quad}u"
                lines.append(f"let r{term}_{quad} = {_four(graph, named, block.right[0], place)};")
                continue
            lines.append(f"let r{term}_{quad} = vec4<f32>({', '.join(values)});")
    return lines


def _stored(graph: Graph, group: Group, node: int) -> tuple[int, bool] | None:
    """The stored array that a factor is, and whether its last two axes are exchanged; None for others."""
    turned = False
    while node not in group.reads:
        if widens(graph, node):
            node = graph.nodes[node].args[0]
            continue
        if graph.nodes[node].op != "permute_dims":
            return None
        axes = shape_of(graph.nodes[node].params, "axes")
        if axes != (*range(len(axes) - 2), len(axes) - 1, len(axes) - 2):
            return None
        turned, node = not turned, graph.nodes[node].args[0]
    return node, turned


def _under(graph: Graph, group: Group, factor: int) -> set[int]:
    """The stored arrays that a factor is made of."""
    stored = set(group.reads)
    return {factor} if factor in stored else read_by(graph, computed(graph, [factor], stored), stored)


def _read_besides(graph: Graph, group: Group) -> set[int]:
    """The arrays that are read element by element by what follows the product, or written over."""
    following = Elements(graph, names(group))
    following.bind(group.cores[0], "i", "total")
    for root in group.roots:
        following.value(root, Place("i", None))
    return {node for node, _ in following.read} | {given for _, given in group.over}

"""Lowers attention and its derivatives to kernels that store no scores.

A workgroup has a block of the scores, a thread some rows and four columns of it.
"""

from __future__ import annotations

import math

from scellis.graph.attention import ATTENTION_OPS, NOTHING
from scellis.graph.fuse import Group
from scellis.graph.graph import Graph
from scellis.graph.movement import float_of
from scellis.kernels.assembly import ArrayKernel, assembled
from scellis.kernels.attention_block import ACROSS, Block, by_column, column, element, quads_of
from scellis.kernels.config import GRID_LIMIT
from scellis.kernels.emit import literal
from scellis.kernels.operands import Operands
from scellis.kernels.templates import read_wgsl

ROWS = 4
"""Rows of a block that a thread has."""
MORE_ROWS = 8
"""The same in the forward pass where nothing is masked and there are workgroups enough: a number read from
shared memory is used twice as often."""
ENOUGH = 256
"""Workgroups, of MORE_ROWS, that keep a card busy."""
DEPTHS = (32, 16)
"""Features in shared memory at a time: many of heads of common width, few of narrow and of wide ones."""
WIDEST = 128
"""Features that a thread's registers and a workgroup's memory have room for."""
STORED_BYTES = {"software": 2**26, "gpu": 0}
"""Scores that are stored all the same, by class of adapter: with them a processor computes less."""

_FORWARD = ("attention", "attention_logsumexp")
_BY_KEY = ("attention_by_key", "attention_by_value")


def is_kernel(graph: Graph, index: int, adapter: str) -> bool:
    """Whether a node has a kernel of attention, rather than stored scores."""
    node = graph.nodes[index]
    if node.op not in ATTENTION_OPS:
        return False
    query, key, last = (graph.types[argument].shape for argument in node.args[:3])
    widths = (query[3], last[3]) if len(node.args) > 3 else query[3:]
    scores = 4 * math.prod(query[:3]) * key[2]
    return 0 < max(widths) <= WIDEST and max(query[:2]) <= GRID_LIMIT and scores > STORED_BYTES[adapter]


def kinship(graph: Graph, core: int) -> tuple[object, ...] | None:
    """What is the same for nodes that one kernel can compute together; None for all others."""
    node = graph.nodes[core]
    if node.op in _FORWARD:
        return (_FORWARD, node.args[0], node.args[1], node.args[-1], *node.params.values())
    if node.op in _BY_KEY:
        return (_BY_KEY, *node.args, *node.params.values())
    return None


def lower_attention(graph: Graph, group: Group, tier: str) -> ArrayKernel:
    """The kernel of a group whose cores are of attention."""
    op = graph.nodes[group.cores[0]].op
    write = _forward if op in _FORWARD else _by_key if op in _BY_KEY else _by_query
    return write(Operands.of(graph, group), tier)


def _forward(operands: Operands, tier: str) -> ArrayKernel:
    """Values weighed, and the logarithm of the sum of the weights: what of them is wanted."""
    block = _forward_block(operands)
    attends, sums = (operands.core(op) is not None for op in _FORWARD)
    quads = quads_of(operands.shape("value")[3]) if attends else 0
    put = []
    for row in range(block.rows):
        total, top = element("total", row), element("top", row)
        for quad in range(quads):
            result = f"select(o{row}_{quad} / {total}, vec4<f32>(), {total} == 0.0)"
            put.append(f"put_attention(batch, head, {block.row(row)}, {column(quad)}, {result});")
        if sums:
            result = f"select({top} + log_f32({total}), NOTHING, {total} == 0.0)"
            put.append(
                f"if (tx == 0u) {{ put_attention_logsumexp(batch, head, {block.row(row)}, {result}); }}"
            )
    puts = {
        "TOTALS": [
            *block.named("o", quads),
            *(f"var top{four} = vec4<f32>(NOTHING);" for four in block.fours),
            *(f"var sum{four} = vec4<f32>();" for four in block.fours),
        ],
        "SCORES": block.named("s", 1),
        "SCORE": block.product("s", 1),
        "LARGEST": [
            *(block.scored(row, "scores(batch, head, {row}, column, s{at}_0)") for row in range(block.rows)),
            *(
                f"{block.gathered(four, 'tx')} = {block.four(four, 'largest(s{row}_0)')};"
                for four in block.fours
            ),
        ],
        "TOP": [f"next{four} = max(next{four}, {block.gathered(four, 'n')});" for four in block.fours],
        "WEIGHTS": [
            *(f"let shrunk{four} = exps(top{four} - next{four});" for four in block.fours),
            *(f"top{four} = next{four};" for four in block.fours),
            *(
                f"s{row}_0 = weights(s{row}_0, vec4<f32>({element('top', row)}));"
                for row in range(block.rows)
            ),
            *(
                f"sum{four} = sum{four} * shrunk{four} + {block.four(four, 'added(s{row}_0)')};"
                for four in block.fours
            ),
            *(
                f"o{row}_{quad} *= {element('shrunk', row)};"
                for row in range(block.rows)
                for quad in range(quads)
            ),
        ],
        "SHARE": block.shared("s"),
        "VALUE": block.product("o", quads),
        "SUMS": [
            *(f"{block.gathered(four, 'tx')} = sum{four};" for four in block.fours),
            *(f"var total{four} = vec4<f32>();" for four in block.fours),
        ],
        "TOTAL": [f"total{four} += {block.gathered(four, 'n')};" for four in block.fours],
        "STORES": put,
    }
    puts["LARGEST"] += [f"var next{four} = top{four};" for four in block.fours]
    loads = [
        operands.load("query", "row_tile", block.height),
        operands.load("key", "column_tile", ACROSS),
        operands.take("value", 16 * max(quads, 1)),
    ]
    rows, heads = operands.shape("query")[2], operands.shape("query")[1]
    constants = {"PARTS": ACROSS // _depth(operands, block) if attends else 0}
    return _kernel(
        operands, block, tier, "attention_tiles.wgsl", (rows, heads), constants, quads, puts, loads
    )


def _forward_block(operands: Operands) -> Block:
    more = Block(MORE_ROWS)
    batch, heads, rows, _ = operands.shape("query")
    many = batch * heads * -(-rows // more.height) >= ENOUGH
    narrow = operands.shape("value")[3] <= ACROSS
    causal = operands.graph.nodes[operands.group.cores[0]].params["causal"]
    return more if many and narrow and not causal else Block(ROWS)


def _by_query(operands: Operands, tier: str) -> ArrayKernel:
    """The derivative by the queries."""
    block = Block(ROWS)
    quads = quads_of(operands.shape("query")[3])
    puts = {
        "TOTALS": [
            *block.named("o", quads),
            *(f"let top{row} = logsumexp_at(batch, head, {block.row(row)});" for row in range(block.rows)),
            *(f"let mean{row} = product_at(batch, head, {block.row(row)});" for row in range(block.rows)),
        ],
        "SCORES": [*block.named("s", 1), *block.named("p", 1)],
        "SCORE": block.product("s", 1),
        "SLOPE": block.product("p", 1),
        "WEIGHTS": [
            line
            for row in range(block.rows)
            for line in (
                block.scored(row, "scores(batch, head, {row}, column, s{at}_0)"),
                f"s{row}_0 = slopes(weights(s{row}_0, vec4<f32>(top{row})), p{row}_0 - mean{row});",
            )
        ],
        "SHARE": block.shared("s"),
        "TOTAL": block.product("o", quads),
        "STORES": [
            f"put_attention_by_query(batch, head, {block.row(row)}, {column(quad)}, o{row}_{quad});"
            for row in range(block.rows)
            for quad in range(quads)
        ],
    }
    loads = [
        *(operands.load(name, "row_tile", block.height) for name in ("query", "cotangent")),
        *(operands.load(name, "column_tile", ACROSS) for name in ("key", "value")),
        operands.take("key", 16 * quads),
    ]
    rows, heads = operands.shape("query")[2], operands.shape("query")[1]
    return _kernel(operands, block, tier, "attention_by_query.wgsl", (rows, heads), {}, quads, puts, loads)


def _by_key(operands: Operands, tier: str) -> ArrayKernel:
    """The derivatives by keys and values: what of them is wanted."""
    block = Block(ROWS)
    by_key, by_value = (operands.core(op) is not None for op in _BY_KEY)
    key_quads, value_quads = (quads_of(operands.shape(name)[3]) for name in ("key", "value"))
    keys, values = key_quads if by_key else 0, value_quads if by_value else 0
    puts = {
        "TOTALS": [*block.named("d", keys), *block.named("o", values)],
        "SCORES": [*block.named("s", 1), *block.named("p", 1)],
        "SCORE": block.product("s", 1),
        "SLOPE": block.product("p", 1),
        "WEIGHTS": [
            f"let top = vec4<f32>({by_column('logsumexp')});",
            f"let mean = vec4<f32>({by_column('product')});",
            *(
                line
                for row in range(block.rows)
                for line in (
                    block.scored(row, "weights(turned_scores(batch, head, column, {row}, s{at}_0), top)"),
                    f"p{row}_0 = slopes(s{row}_0, p{row}_0 - mean);",
                )
            ),
        ],
        "SHARE_OF_WEIGHTS": block.shared("s") if values else [],
        "VALUE_TOTAL": block.product("o", values) if values else [],
        "SHARE_OF_SLOPES": block.shared("p") if keys else [],
        "KEY_TOTAL": block.product("d", keys) if keys else [],
        "STORES": [
            f"put_{op}(batch, group, {block.row(row)}, {column(quad)}, {total}{row}_{quad});"
            for op, total, quads in (("attention_by_key", "d", keys), ("attention_by_value", "o", values))
            for row in range(block.rows)
            for quad in range(quads)
        ],
    }
    loads = [
        *(operands.load(name, "row_tile", block.height) for name in ("key", "value")),
        *(operands.load(name, "column_tile", ACROSS) for name in ("query", "cotangent")),
        operands.take("query", 16 * key_quads),
        operands.take("cotangent", 16 * value_quads),
    ]
    rows, groups = operands.shape("key")[2], operands.shape("key")[1]
    quads = max(key_quads, value_quads)
    return _kernel(operands, block, tier, "attention_by_key.wgsl", (rows, groups), {}, quads, puts, loads)


def _kernel(
    operands: Operands,
    block: Block,
    tier: str,
    template: str,
    grid: tuple[int, int],
    constants: dict[str, int],
    quads: int,
    puts: dict[str, list[str]],
    loads: list[str],
) -> ArrayKernel:
    query, key, value = (operands.shape(name) for name in ("query", "key", "value"))
    params = operands.graph.nodes[operands.group.cores[0]].params
    access = [
        f"const CAUSAL = {str(params['causal']).lower()};",
        f"const EDGES = {str(query[2] % block.height > 0 or key[2] % block.height > 0).lower()};",
        f"const SCALE: f32 = {literal(float_of(params, 'scale'))};",
        f"const NOTHING: f32 = {literal(NOTHING)};",
        *operands.readers(),
        *operands.finishers(),
        read_wgsl("attention_scores.wgsl"),
    ]
    return assembled(
        operands.graph,
        operands.group,
        tier,
        template,
        (-(-grid[0] // block.height), grid[1], query[0]),
        {
            "S": query[2],
            "T": key[2],
            "WIDTH": query[3],
            "VALUE_WIDTH": value[3],
            "EACH": query[1] // key[1],
            "BLOCK": block.height,
            "ROW_FOURS": block.height // 4,
            "DEPTH": _depth(operands, block),
            "COLUMN_FOURS": 16 * max(quads, 1),
            **constants,
        },
        {
            "ACCESS": "\n".join(access),
            "LOADS": "\n".join(loads),
            **{name: "\n".join(lines) for name, lines in puts.items()},
        },
        operands.quads,
    )


def _depth(operands: Operands, block: Block) -> int:
    """Features, or rows of values, in shared memory at a time: as many as 16 KiB have room for."""
    widest = max(operands.shape(name)[3] for name in ("query", "value"))
    return DEPTHS[0] if DEPTHS[1] < widest <= ACROSS and block.rows == ROWS else DEPTHS[1]

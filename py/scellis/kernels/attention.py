"""Lowers attention and its derivatives to kernels that store no scores.

A workgroup has a block of the scores, a thread ROWS rows and four columns of it. Each sum has a name of its
own in the statements written here: registers hold what a name has, not what an index finds.
"""

from __future__ import annotations

import math

from scellis.graph.attention import ATTENTION_OPS, NOTHING
from scellis.graph.fuse import Group
from scellis.graph.graph import Graph
from scellis.graph.movement import float_of
from scellis.kernels.assembly import ArrayKernel, assembled
from scellis.kernels.config import GRID_LIMIT
from scellis.kernels.elements import LANES
from scellis.kernels.emit import literal
from scellis.kernels.operands import Operands
from scellis.kernels.templates import read_wgsl

ACROSS = 64
"""Columns of a block: keys, or queries in the derivatives by key and value."""
ROWS = 4
"""Rows of a block that a thread has."""
FOURS = range(ROWS // 4)
BLOCK = 16 * ROWS
"""Rows of a block."""
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
    attends, sums = (operands.core(op) is not None for op in _FORWARD)
    quads = _quads(operands.shape("value")[3]) if attends else 0
    put = []
    for row in range(ROWS):
        total, top = _of("total", row), _of("top", row)
        for quad in range(quads):
            result = f"select(o{row}_{quad} / {total}, vec4<f32>(), {total} == 0.0)"
            put.append(f"put_attention(batch, head, {_row(row)}, {_column(quad)}, {result});")
        if sums:
            result = f"select({top} + log_f32({total}), NOTHING, {total} == 0.0)"
            put.append(f"if (tx == 0u) {{ put_attention_logsumexp(batch, head, {_row(row)}, {result}); }}")
    puts = {
        "TOTALS": [
            *_named("o", quads),
            *(f"var top{four} = vec4<f32>(NOTHING);" for four in FOURS),
            *(f"var sum{four} = vec4<f32>();" for four in FOURS),
        ],
        "SCORES": _named("s", 1),
        "SCORE": _product("s", 1),
        "LARGEST": [
            *(_scored(row, "scores(batch, head, {row}, column, s{at}_0)") for row in range(ROWS)),
            *(f"{_gathered(four, 'tx')} = {_four(four, 'largest(s{row}_0)')};" for four in FOURS),
        ],
        "TOP": [f"next{four} = max(next{four}, {_gathered(four, 'n')});" for four in FOURS],
        "WEIGHTS": [
            *(f"let shrunk{four} = exps(top{four} - next{four});" for four in FOURS),
            *(f"top{four} = next{four};" for four in FOURS),
            *(f"s{row}_0 = weights(s{row}_0, vec4<f32>({_of('top', row)}));" for row in range(ROWS)),
            *(f"sum{four} = sum{four} * shrunk{four} + {_four(four, 'added(s{row}_0)')};" for four in FOURS),
            *(f"o{row}_{quad} *= {_of('shrunk', row)};" for row in range(ROWS) for quad in range(quads)),
        ],
        "SHARE": _shared("s"),
        "VALUE": _product("o", quads),
        "SUMS": [
            *(f"{_gathered(four, 'tx')} = sum{four};" for four in FOURS),
            *(f"var total{four} = vec4<f32>();" for four in FOURS),
        ],
        "TOTAL": [f"total{four} += {_gathered(four, 'n')};" for four in FOURS],
        "STORES": put,
    }
    puts["LARGEST"] += [f"var next{four} = top{four};" for four in FOURS]
    loads = [
        operands.load("query", "row_tile", BLOCK),
        operands.load("key", "column_tile", ACROSS),
        operands.take("value", 16 * max(quads, 1)),
    ]
    rows, heads = operands.shape("query")[2], operands.shape("query")[1]
    constants = {"PARTS": 4 if attends else 0}
    return _kernel(operands, tier, "attention_tiles.wgsl", (rows, heads), constants, quads, puts, loads)


def _by_query(operands: Operands, tier: str) -> ArrayKernel:
    """The derivative by the queries."""
    quads = _quads(operands.shape("query")[3])
    puts = {
        "TOTALS": [
            *_named("o", quads),
            *(f"let top{row} = logsumexp_at(batch, head, {_row(row)});" for row in range(ROWS)),
            *(f"let mean{row} = product_at(batch, head, {_row(row)});" for row in range(ROWS)),
        ],
        "SCORES": [*_named("s", 1), *_named("p", 1)],
        "SCORE": _product("s", 1),
        "SLOPE": _product("p", 1),
        "WEIGHTS": [
            line
            for row in range(ROWS)
            for line in (
                _scored(row, "scores(batch, head, {row}, column, s{at}_0)"),
                f"s{row}_0 = slopes(weights(s{row}_0, vec4<f32>(top{row})), p{row}_0 - mean{row});",
            )
        ],
        "SHARE": _shared("s"),
        "TOTAL": _product("o", quads),
        "STORES": [
            f"put_attention_by_query(batch, head, {_row(row)}, {_column(quad)}, o{row}_{quad});"
            for row in range(ROWS)
            for quad in range(quads)
        ],
    }
    loads = [
        *(operands.load(name, "row_tile", BLOCK) for name in ("query", "cotangent")),
        *(operands.load(name, "column_tile", ACROSS) for name in ("key", "value")),
        operands.take("key", 16 * quads),
    ]
    rows, heads = operands.shape("query")[2], operands.shape("query")[1]
    return _kernel(operands, tier, "attention_by_query.wgsl", (rows, heads), {}, quads, puts, loads)


def _by_key(operands: Operands, tier: str) -> ArrayKernel:
    """The derivatives by keys and values: what of them is wanted."""
    by_key, by_value = (operands.core(op) is not None for op in _BY_KEY)
    key_quads, value_quads = (_quads(operands.shape(name)[3]) for name in ("key", "value"))
    keys, values = key_quads if by_key else 0, value_quads if by_value else 0
    puts = {
        "TOTALS": [*_named("d", keys), *_named("o", values)],
        "SCORES": [*_named("s", 1), *_named("p", 1)],
        "SCORE": _product("s", 1),
        "SLOPE": _product("p", 1),
        "WEIGHTS": [
            f"let top = vec4<f32>({_by_column('logsumexp')});",
            f"let mean = vec4<f32>({_by_column('product')});",
            *(
                line
                for row in range(ROWS)
                for line in (
                    _scored(row, "weights(turned_scores(batch, head, column, {row}, s{at}_0), top)"),
                    f"p{row}_0 = slopes(s{row}_0, p{row}_0 - mean);",
                )
            ),
        ],
        "SHARE_OF_WEIGHTS": _shared("s") if values else [],
        "VALUE_TOTAL": _product("o", values) if values else [],
        "SHARE_OF_SLOPES": _shared("p") if keys else [],
        "KEY_TOTAL": _product("d", keys) if keys else [],
        "STORES": [
            f"put_{op}(batch, group, {_row(row)}, {_column(quad)}, {total}{row}_{quad});"
            for op, total, quads in (("attention_by_key", "d", keys), ("attention_by_value", "o", values))
            for row in range(ROWS)
            for quad in range(quads)
        ],
    }
    loads = [
        *(operands.load(name, "row_tile", BLOCK) for name in ("key", "value")),
        *(operands.load(name, "column_tile", ACROSS) for name in ("query", "cotangent")),
        operands.take("query", 16 * key_quads),
        operands.take("cotangent", 16 * value_quads),
    ]
    rows, groups = operands.shape("key")[2], operands.shape("key")[1]
    quads = max(key_quads, value_quads)
    return _kernel(operands, tier, "attention_by_key.wgsl", (rows, groups), {}, quads, puts, loads)


def _kernel(
    operands: Operands,
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
        (-(-grid[0] // BLOCK), grid[1], query[0]),
        {
            "S": query[2],
            "T": key[2],
            "WIDTH": query[3],
            "VALUE_WIDTH": value[3],
            "EACH": query[1] // key[1],
            "BLOCK": BLOCK,
            "ROW_FOURS": BLOCK // 4,
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


# ---- statements ----


def _quads(width: int) -> int:
    """Fours of features a thread."""
    return -(-width // ACROSS)


def _row(row: int) -> str:
    return f"row0 + {64 * (row // 4) + row % 4}u + 4u * ty"


def _column(quad: int) -> str:
    return f"{ACROSS * quad}u + 4u * tx"


def _by_column(name: str) -> str:
    """The numbers of a thread's four queries, where those are columns."""
    return ", ".join(f"{name}_at(batch, head, column + {n}u)" for n in range(4))


def _of(name: str, row: int) -> str:
    """A row's element of what is held for four rows."""
    return f"{name}{row // 4}.{LANES[row % 4]}"


def _four(four: int, text: str) -> str:
    """Of four rows together."""
    return f"vec4<f32>({', '.join(text.format(row=4 * four + lane) for lane in range(4))})"


def _gathered(four: int, thread: str) -> str:
    """Where a thread of a row leaves what it has for four of them."""
    return f"row_tile[{thread}][{16 * four}u + ty]"


def _named(name: str, quads: int) -> list[str]:
    return [f"var {name}{row}_{quad} = vec4<f32>();" for row in range(ROWS) for quad in range(quads)]


def _scored(row: int, text: str) -> str:
    return f"s{row}_0 = {text.format(row=_row(row), at=row)};"


def _shared(name: str) -> list[str]:
    """A thread's scores put where all find them, as the left factor of a product."""
    return [
        f"row_tile[(tx & 3u) * 4u + {n}u][{16 * four}u + ty] = {_four(four, name + '{row}_0.' + lane)};"
        for n, lane in enumerate(LANES)
        for four in FOURS
    ]


def _product(total: str, quads: int) -> list[str]:
    """One term of each sum."""
    return [
        *(f"let a{four} = row_tile[k][{16 * four}u + ty];" for four in FOURS),
        *(f"let b{quad} = column_tile[k][{16 * quad}u + tx];" for quad in range(quads)),
        *(
            f"{total}{row}_{quad} = fma(vec4<f32>({_of('a', row)}), b{quad}, {total}{row}_{quad});"
            for row in range(ROWS)
            for quad in range(quads)
        ),
    ]

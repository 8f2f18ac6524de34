"""What kernels are made of, named by one hash: the sources in `wgsl/`, and the choices by class of adapter.

Every fingerprint has it, so that two runs that are to be the same bits can be told to be of other kernels.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import attrs

from scellis.content import address, canonical_json
from scellis.graph import fuse, ordering, sorting
from scellis.graph.scatter import MANY, ORDER_LIMIT
from scellis.kernels import (
    arrays,
    assembly,
    attention,
    block,
    folds,
    matmul,
    matrices,
    merge,
    registers,
    rows,
    scatter,
    split_k,
)
from scellis.kernels.config import KERNEL_TABLE
from scellis.kernels.templates import read_wgsl, wgsl_files

CHOICES: dict[str, Any] = {
    "sampling": {name: attrs.asdict(row) for name, row in KERNEL_TABLE.items()},
    "arrays": {
        "workgroup": assembly.WORKGROUP,
        "quads": [arrays.QUADS_WORKGROUP, arrays.QUADS_FROM],
        "reductions": {"serial": arrays.SERIAL_LENGTH},
        "scatter": {"each": scatter.EACH, "sorted": [MANY.start, ORDER_LIMIT]},
        "rows": {
            "wide": [rows.WIDE, rows.LEAST_WIDE],
            "serial": [rows.SERIAL_LENGTH, rows.SERIAL_ROWS, rows.SERIAL_LIMIT],
            "stages": [rows.STAGE_LIMIT, rows.KEPT_FOURS],
            "subgroups": folds.LEAST_SIZE,
        },
        "products": {
            "tiles": [*map(attrs.astuple, matmul.TILES), matmul.FEW_TILES, split_k.LEAST_TERMS],
            "units": [matrices.TILE, *matrices.LEAST, matrices.SHARED_BYTES, *matrices.CONFIGURATION],
            "block": [registers.THREADS, block.LENGTHS, block.STEP, block.SPREAD],
            "block_costs": [block.READ_COST, block.TERM_COST, block.SUM_COST, block.TEXT_COST],
        },
        "attention": [attention.ROWS, attention.MORE_ROWS, attention.ENOUGH, *attention.DEPTHS],
        "attention stored": [attention.WIDEST, attention.STORED_BYTES],
        "sorting": [sorting.SHORT, ordering.WAYS],
        "fusion": {
            "kernel": [fuse.WORK_LIMIT, fuse.NODE_LIMIT, fuse.PLACES_LIMIT],
            "again": [fuse.LIGHT_LIMIT, fuse.LEAVES_LIMIT, fuse.LARGE_SHARE],
            "joined": [merge.LOOK_BACK, merge.SMALL],
        },
    },
}
"""The numbers that say which kernel is taken and how it is laid out."""


@cache
def kernel_table_address() -> str:
    """The content address of all that: computed once, from about 100 KB."""
    sources = {name: address(read_wgsl(name).encode()) for name in wgsl_files()}
    return address(canonical_json({"choices": CHOICES, "sources": sources}))

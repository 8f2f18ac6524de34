"""The packed commands that a device plays in one submit; `static/gpu.js` and `native.py` read them.

| command | operands |
| --- | --- |
| 1 clear | buffer, offset, size |
| 2 write | buffer, offset, first argument, number of arguments: u32 words |
| 3 dispatch | pipeline, x, y, z, number of buffers, the buffers in the order of their bindings |
| 4 collect | buffer, offset, size, position in the answer |
| 5 copy | from buffer, to buffer, size |

Each is a u32. An operand made by `argument(n)` stands for the n-th argument of a replay; clear, collect and
dispatch sizes take those. Offsets and sizes are bytes.
"""

from __future__ import annotations

from collections.abc import Sequence

CLEAR, WRITE, DISPATCH, COLLECT, COPY = 1, 2, 3, 4, 5
ARGUMENT = 0x8000_0000


def argument(index: int) -> int:
    """The operand that stands for argument `index` of a replay."""
    return ARGUMENT | index


def clear(buffer: int, size: int, offset: int = 0) -> list[int]:
    """Fill with zeros."""
    return [CLEAR, buffer, offset, size]


def write(buffer: int, first: int, count: int, offset: int = 0) -> list[int]:
    """Put arguments `first … first + count − 1` into a buffer."""
    return [WRITE, buffer, offset, first, count]


def dispatch(pipeline: int, workgroups: tuple[int, int, int], buffers: Sequence[int]) -> list[int]:
    """Run a pipeline on buffers bound in order."""
    return [DISPATCH, pipeline, *workgroups, len(buffers), *buffers]


def collect(buffer: int, size: int, position: int, offset: int = 0) -> list[int]:
    """Put a part of a buffer into the answer."""
    return [COLLECT, buffer, offset, size, position]


def copy(source: int, target: int, size: int) -> list[int]:
    """Put the beginning of one buffer into that of another."""
    return [COPY, source, target, size]

"""The statements of a thread of attention: some rows and four columns of a workgroup's block of scores.

Each sum has a name of its own: registers hold what a name has, not what an index finds.
"""

from __future__ import annotations

import attrs

from scellis.kernels.elements import LANES

ACROSS = 64
"""Columns of a block: keys, or queries in the derivatives by key and value."""


@attrs.frozen
class Block:
    """A block of scores of 16 by 16 threads, each with so many rows, a multiple of four."""

    rows: int

    @property
    def height(self) -> int:
        """Its rows."""
        return 16 * self.rows

    @property
    def fours(self) -> range:
        """Fours of a thread's rows."""
        return range(self.rows // 4)

    def row(self, row: int) -> str:
        """Where in all rows a thread's row lies."""
        return f"row0 + {64 * (row // 4) + row % 4}u + 4u * ty"

    def four(self, four: int, text: str) -> str:
        """Of four rows together."""
        return f"vec4<f32>({', '.join(text.format(row=4 * four + lane) for lane in range(4))})"

    def gathered(self, four: int, thread: str) -> str:
        """Where a thread of a row leaves what it has for four of them."""
        return f"row_tile[{thread}][{16 * four}u + ty]"

    def named(self, name: str, quads: int) -> list[str]:
        """Sums, four columns each."""
        return [f"var {name}{row}_{quad} = vec4<f32>();" for row in range(self.rows) for quad in range(quads)]

    def scored(self, row: int, text: str) -> str:
        """Four scores of a row, made of their products."""
        return f"s{row}_0 = {text.format(row=self.row(row), at=row)};"

    def shared(self, name: str) -> list[str]:
        """A thread's scores put where all find them, as the left factor of a product."""
        return [
            f"row_tile[4u * tx % DEPTH + {n}u][{16 * four}u + ty] = "
            f"{self.four(four, name + '{row}_0.' + lane)};"
            for n, lane in enumerate(LANES)
            for four in self.fours
        ]

    def product(self, total: str, quads: int) -> list[str]:
        """One term of each sum."""
        return [
            *(f"let a{four} = row_tile[k][{16 * four}u + ty];" for four in self.fours),
            *(f"let b{quad} = column_tile[k][{16 * quad}u + tx];" for quad in range(quads)),
            *(
                f"{total}{row}_{quad} = fma(vec4<f32>({element('a', row)}), b{quad}, {total}{row}_{quad});"
                for row in range(self.rows)
                for quad in range(quads)
            ),
        ]


def quads_of(width: int) -> int:
    """Fours of features a thread."""
    return -(-width // ACROSS)


def column(quad: int) -> str:
    """The first of four features of a thread."""
    return f"{ACROSS * quad}u + 4u * tx"


def by_column(name: str) -> str:
    """The numbers of a thread's four queries, where those are columns."""
    return ", ".join(f"{name}_at(batch, head, column + {n}u)" for n in range(4))


def element(name: str, row: int) -> str:
    """A row's element of what is held for four rows."""
    return f"{name}{row // 4}.{LANES[row % 4]}"

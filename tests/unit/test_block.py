"""The block of a product that a thread computes."""

from __future__ import annotations

import pytest

from scellis.kernels.block import LENGTHS, SPREAD, STEP, block_of


@pytest.mark.parametrize("shape", [(1, 1, 1, 1), (3, 5, 7, 9), (1, 128, 784, 256), (1, 256, 128, 10)])
def test_a_block_is_within_the_product(shape: tuple[int, ...]) -> None:
    block = block_of(*shape)
    _, m, k, n = shape
    assert 1 <= block.rows <= min(m, max(LENGTHS))
    assert 1 <= block.columns <= min(n, max(LENGTHS))
    assert block.step == min(k, STEP)
    assert n % block.width == 0
    assert block.columns % block.width == 0


def test_a_large_product_has_the_largest_block() -> None:
    block = block_of(1, 512, 512, 512)
    assert (block.rows, block.columns) == (max(LENGTHS), max(LENGTHS))


def test_a_small_one_has_blocks_enough_for_all_cores() -> None:
    block = block_of(1, 64, 512, 64)
    assert -(-64 // block.rows) * -(-64 // block.columns) >= SPREAD


def test_no_row_of_a_block_is_for_nothing_where_there_are_few() -> None:
    assert block_of(1, 128, 256, 10).columns in (4, 5, 8, 10)
    assert block_of(1, 1, 256, 1000).rows == 1

"""What a kernel leaves, merged in f64: against the moments of the draws themselves."""

from __future__ import annotations

import attrs
import numpy as np
import pytest

from scellis.graph import normal, trace
from scellis.kernels.config import KernelConfig
from scellis.kernels.decode import decode
from scellis.kernels.sampling import MOMENTS, SampleKernel, lower
from scellis.kernels.spec import SampleSpec

SPEC = SampleSpec(seed=1, family=1, draws_per_shard=1000, bins=4, low=0.0, high=1.0, pivot=0.5, scale=0.25)


def kernel(groups: int) -> SampleKernel:
    made = lower(trace(lambda x: x, x=normal(0, 1)), SPEC, "prod", KernelConfig(64, 16, "shift"))
    return attrs.evolve(made, groups_per_shard=groups)


def answer(samples: list[list[np.ndarray]], slots: np.ndarray) -> bytes:
    """The bytes of shards whose groups drew `samples`, in units of the output."""
    rows = [
        [
            (
                part.size,
                ((part - 0.5) * 4).mean() if part.size else 0.0,
                16 * part.size * part.var() if part.size else 0.0,
            )
            for part in shard
        ]
        for shard in samples
    ]
    return np.array(rows, MOMENTS).tobytes() + slots.astype("<u4").tobytes()


@pytest.mark.parametrize("sizes", [[10, 10, 10], [1, 700, 3], [0, 5, 0], [0, 0, 0], [1000]])
def test_groups_merge_to_the_moments_of_all_draws(sizes: list[int]) -> None:
    generator = np.random.default_rng(3)
    samples = [[generator.normal(0.6, 0.2, size) for size in sizes] for _ in range(2)]
    slots = np.arange(14).reshape(2, 7)
    found = decode(kernel(len(sizes)), answer(samples, slots), 2)
    for shard in range(2):
        draws = np.concatenate(samples[shard])
        assert found["count"][shard] == draws.size
        np.testing.assert_allclose(found["mean"][shard], draws.mean() if draws.size else 0.0, rtol=1e-6)
        np.testing.assert_allclose(
            found["m2"][shard], draws.size * draws.var() if draws.size else 0.0, rtol=1e-5, atol=1e-12
        )
    assert found["underflow"].tolist() == [0, 7]
    assert found["bins"].tolist() == [[1, 2, 3, 4], [8, 9, 10, 11]]
    assert found["overflow"].tolist() == [5, 12]
    assert found["nonfinite"].tolist() == [6, 13]
    assert {name: array.dtype.str for name, array in found.items()} == {
        **dict.fromkeys(("count", "bins", "underflow", "overflow", "nonfinite"), "<i8"),
        **dict.fromkeys(("mean", "m2"), "<f8"),
    }


def test_no_shards_are_empty_arrays() -> None:
    found = decode(kernel(3), b"", 0)
    assert found["bins"].shape == (0, 4)
    assert found["mean"].shape == (0,)

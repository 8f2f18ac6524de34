"""From what a kernel leaves to what a shard's state needs, in f64 and in one fixed order."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from scellis.kernels.sampling import EXTRA_SLOTS, MOMENTS, SampleKernel

F64 = NDArray[np.float64]


def decode(kernel: SampleKernel, data: bytes, shards: int) -> dict[str, NDArray[Any]]:
    """The arrays of `device.protocol.Accumulators` from one replay's answer.

    `data`: the moments of `shards` shards, then their histograms. Costs one pass over it; nothing is a view.
    """
    split = shards * kernel.moments_bytes
    rows = np.frombuffer(data, MOMENTS, offset=0, count=shards * kernel.groups_per_shard)
    slots = np.frombuffer(data, "<u4", offset=split).reshape(shards, kernel.spec.bins + EXTRA_SLOTS)
    count, mean, m2 = _merge(rows.reshape(shards, kernel.groups_per_shard))
    # The kernel's own constants, as f32 rounded them: dividing by them adds no bias.
    pivot, per_scale = kernel.constants["PIVOT"], kernel.constants["PER_SCALE"]
    totals = slots.astype(np.int64)
    return {
        "count": count,
        "mean": np.where(count > 0, pivot + mean / per_scale, 0.0),
        "m2": m2 / per_scale**2,
        "bins": totals[:, 1:-2],
        "underflow": totals[:, 0],
        "overflow": totals[:, -2],
        "nonfinite": totals[:, -1],
    }


def _merge(rows: NDArray[Any]) -> tuple[NDArray[np.int64], F64, F64]:
    """Merge the columns of `(shards, groups)` moments from left to right.

    Elementwise steps in a fixed order give the same bits in every build of NumPy, which a sum along an axis
    does not promise. Chan, Golub & LeVeque (1983).
    """
    counts = rows["count"].astype(np.int64)
    means = rows["mean"].astype(np.float64)
    squares = rows["m2"].astype(np.float64)
    count, mean, m2 = counts[:, 0], means[:, 0], squares[:, 0]
    for group in range(1, rows.shape[1]):
        total = count + counts[:, group]
        share = counts[:, group] / np.maximum(total, 1)
        shift = means[:, group] - mean
        m2 = m2 + squares[:, group] + shift * shift * count * share
        mean = mean + shift * share
        count = total
    return count, mean, m2

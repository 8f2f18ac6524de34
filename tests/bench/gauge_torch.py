"""The gauge block in PyTorch on the same card, eager and compiled: draws a second, for scale.

    python tests/bench/gauge_torch.py          needs torch with CUDA

The same formulas in f32 from torch.rand, the same moments and 256 bins. One call draws 2^24.
"""

from __future__ import annotations

import json
import math
import time

import torch

DRAWS = 1 << 24
LOW, HIGH, BINS = 659.0, 1018.0, 256


def student(df: float, u: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    """Bailey's t from two uniforms."""
    return torch.sqrt(df * torch.expm1((-2.0 / df) * torch.log(u))) * torch.cos(2.0 * math.pi * v)


def ctrap(low: float, high: float, d: float, u: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    """The curvilinear trapezoid of JCGM 101, 6.4.3."""
    a = (low - d) + 2.0 * d * u
    return a + ((low + high) - 2.0 * a) * v


def gauge() -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Mean, standard deviation and histogram of one call's draws."""
    u = torch.rand(16, DRAWS, device="cuda").clamp_min(2.0**-24)
    length = 623.0 + 25.0 * student(18.0, u[0], u[1])
    difference = 215.0 + 6.0 * student(24.0, u[2], u[3])
    random = 4.0 * student(5.0, u[4], u[5])
    systematic = 7.0 * student(8.0, u[6], u[7])
    expansion = 9.5e-6 + 4.0e-6 * u[8]
    room = -0.1 + 0.2 * torch.sqrt(-2.0 * torch.log(u[9])) * torch.cos(2.0 * math.pi * u[10])
    cycle = 0.5 * torch.sin(2.0 * math.pi * u[11])
    strain = ctrap(-1e-6, 1e-6, 1e-7, u[12], u[13]) * (room + cycle)
    strain = strain + expansion * ctrap(-0.05, 0.05, 0.025, u[14], u[15])
    y = length + difference + random + systematic - (5.0e7 + length) * strain
    return y.mean(), y.std(), torch.histc(y, BINS, LOW, HIGH)


def rate(function: object, rounds: int = 20) -> dict[str, float]:
    """Draws a second, median of `rounds` calls."""
    assert callable(function)
    for _ in range(3):
        mean, std, _ = function()
    seconds = []
    for _ in range(rounds):
        torch.cuda.synchronize()
        start = time.perf_counter()
        function()
        torch.cuda.synchronize()
        seconds.append(time.perf_counter() - start)
    return {"draws_per_second": DRAWS / sorted(seconds)[rounds // 2], "mean": float(mean), "std": float(std)}


if __name__ == "__main__":
    torch.manual_seed(1)
    print(json.dumps({"torch eager": rate(gauge), "torch.compile": rate(torch.compile(gauge))}))

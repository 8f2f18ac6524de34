"""The cases of tests/bench/arrays.py in PyTorch on the same card.

    python tests/bench/arrays_torch.py [OPTIONS AS JSON]          needs torch with CUDA

Products are in f32 without TF32, and with `half` in f16 besides. A time is the median of rounds, each of
several calls between two synchronisations, divided by their number.
"""

from __future__ import annotations

import json
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn

sys.path.insert(0, str(Path(__file__).parents[1]))

from bench.peers.cases import all_cases
from bench.peers.data import integers, uniform

torch.backends.cuda.matmul.allow_tf32 = False
torch.backends.cudnn.allow_tf32 = False


def ms(function: Callable[[], Any], rounds: int, calls: int = 8) -> float:
    """Median time of a call, in ms."""
    for _ in range(3):
        function()
    torch.cuda.synchronize()
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        for _ in range(calls):
            function()
        torch.cuda.synchronize()
        times.append((time.perf_counter() - start) / calls)
    return round(1e3 * statistics.median(times), 4)


def say(name: str, **found: Any) -> None:
    """One line a case."""
    print(json.dumps({"torch": name, **found}))


def main(options: dict[str, Any]) -> None:
    """Run everything."""
    rounds = options.get("rounds", 5)
    print(torch.cuda.get_device_name(), torch.__version__)
    _products_and_rows(options, rounds, torch.float32, "")
    for length in options.get("sequences", (128,)):
        _attention(length, rounds)
    if options.get("half"):
        _products_and_rows(options, rounds, torch.float16, " in f16")
    parameters = options.get("parameters", 1_000_000)
    p = nn.Parameter(torch.randn(parameters, device="cuda"))
    p.grad = torch.randn(parameters, device="cuda")
    adamw = torch.optim.AdamW([p], lr=1e-3, weight_decay=0.01, fused=True)
    time_ms = ms(adamw.step, rounds)
    say(f"AdamW of ({parameters})", ms=time_ms, gb_s=round(28e-6 * parameters / time_ms, 1))
    del p, adamw
    _train(options.get("steps", 20))
    _transform(options.get("steps", 20))


def _products_and_rows(options: dict[str, Any], rounds: int, dtype: torch.dtype, what: str) -> None:
    for n in options.get("products", (512,)):
        a, b = (torch.randn(n, n, device="cuda", dtype=dtype) for _ in range(2))
        c = torch.empty_like(a)
        time_ms = ms(lambda a=a, b=b, c=c: torch.mm(a, b, out=c), rounds)
        say(f"product of {n}{what}", ms=time_ms, tflops=round(2e-9 * n**3 / time_ms, 2))
    rows, length = options.get("rows", 512), options.get("length", 1024)
    x = torch.randn(rows, length, device="cuda", dtype=dtype)
    y = torch.empty_like(x)
    cases = {
        "copy": lambda: y.copy_(x),
        "softmax": lambda: torch.softmax(x, 1),
        "layer norm": lambda: nn.functional.layer_norm(x, (length,)),
    }
    for name, function in cases.items():
        time_ms = ms(function, rounds)
        say(
            f"{name} of ({rows}, {length}){what}",
            ms=time_ms,
            gb_s=round(2e-6 * x.element_size() * x.numel() / time_ms, 1),
        )


def _attention(length: int, rounds: int) -> None:
    """16 heads of 64 features in f32: forwards, and with the derivatives."""
    q, k, v = (torch.randn(1, 16, length, 64, device="cuda", requires_grad=True) for _ in range(3))
    for causal in (False, True):

        def forwards(causal: bool = causal) -> torch.Tensor:
            return nn.functional.scaled_dot_product_attention(q, k, v, is_causal=causal)

        def step() -> None:
            forwards().sum().backward()

        for name, function, products in (("attention", forwards, 2), ("attention and derivatives", step, 7)):
            with torch.set_grad_enabled(products > 2):
                time_ms = ms(function, rounds)
            flops = products * 2 * 16 * length**2 * 64 / (2 if causal else 1)
            what = f"{name} of {length}{', causal' if causal else ''}"
            say(what, ms=time_ms, tflops=round(1e-9 * flops / time_ms, 2))


def _train(steps: int) -> None:
    rng = np.random.default_rng(0)
    x = torch.tensor(rng.normal(size=(128, 784)).astype(np.float32), device="cuda")
    labels = torch.tensor(rng.integers(0, 10, 128), device="cuda")
    sizes = [(784, 256), (256,), (256, 10), (10,)]
    state = [(rng.normal(size=size) * 0.05).astype(np.float32) for size in sizes]
    w1, b1, w2, b2 = (nn.Parameter(torch.tensor(value, device="cuda")) for value in state)
    adam = torch.optim.Adam([w1, b1, w2, b2], lr=1e-2)
    losses: list[float] = []

    def step() -> None:
        adam.zero_grad()
        loss = nn.functional.cross_entropy(torch.relu(x @ w1 + b1) @ w2 + b2, labels)
        loss.backward()
        adam.step()
        losses.append(loss.item())

    times = []
    for _ in range(steps):
        start = time.perf_counter()
        step()
        times.append(time.perf_counter() - start)
    say(
        "MLP 784-256-10, batch 128, Adam: a step",
        ms=round(1e3 * statistics.median(times[1:]), 4),
        losses=[round(value, 6) for value in losses[:3]],
    )


def _transform(steps: int) -> None:
    """The transformer step of tests/bench/peers, eager."""
    case = next(case for case in all_cases() if case.request["kind"] == "transformer")
    asked = case.request
    batch, length, width, heads = (asked[name] for name in ("batch", "length", "width", "heads"))
    rows = batch * length
    x, y = (
        torch.tensor(integers(rows, seed, asked["vocabulary"]), device="cuda", dtype=torch.long)
        for seed in (1, 2)
    )
    parameters = [
        nn.Parameter(torch.tensor(uniform(p["shape"], p["seed"], p["scale"], p["shift"]), device="cuda"))
        for p in asked["parameters"]
    ]
    adam = torch.optim.Adam(parameters, lr=asked["rate"])
    norm = nn.functional.layer_norm

    def loss_of() -> torch.Tensor:
        embedding, position, *rest = parameters
        h = (embedding[x].reshape(batch, length, width) + position).reshape(rows, width)
        while len(rest) > 3:
            gain1, bias1, wq, wk, wv, wo, gain2, bias2, w1, b1, w2, b2 = rest[:12]
            rest = rest[12:]
            a = norm(h, (width,), gain1, bias1)
            q, k, v = (
                (a @ w).reshape(batch, length, heads, width // heads).transpose(1, 2) for w in (wq, wk, wv)
            )
            seen = nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
            h = h + seen.transpose(1, 2).reshape(rows, width) @ wo
            inner = nn.functional.gelu(norm(h, (width,), gain2, bias2) @ w1 + b1, approximate="tanh")
            h = h + inner @ w2 + b2
        gain, bias, head = rest
        return nn.functional.cross_entropy(norm(h, (width,), gain, bias) @ head, y)

    times, losses = [], []
    for _ in range(steps):
        start = time.perf_counter()
        adam.zero_grad()
        loss = loss_of()
        loss.backward()
        adam.step()
        losses.append(loss.item())
        times.append(time.perf_counter() - start)
    say(
        case.name,
        ms=round(1e3 * statistics.median(times[1:]), 4),
        losses=[round(value, 6) for value in losses[:3]],
    )


if __name__ == "__main__":
    main(json.loads(sys.argv[1] if len(sys.argv) > 1 else "{}"))

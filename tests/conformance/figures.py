"""The figures of the corpus, as they were last measured, and the page that shows them."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from conformance.run import TIERS
from scellis import ENGINE_VERSION
from scellis.kernels.table import kernel_table_address

DOCS = Path(__file__).parents[2] / "docs"
FIGURES = DOCS / "correctness.json"
PAGE = DOCS / "correctness.md"
DEVICES = {"oracle": "oracle in f32", "native": "native", "chromium": "Chromium"}

Figures = Mapping[str, Any]


def read() -> Figures:
    """The figures."""
    figures: Figures = json.loads(FIGURES.read_text(encoding="utf-8"))
    return figures


def stale(figures: Figures) -> list[str]:
    """Why these are not the figures of this engine."""
    now = {"engine": ENGINE_VERSION, "kernel_table": kernel_table_address()}
    return [
        f"{name} of the figures is {figures.get(name)}, of the code {value}: run scripts/correctness"
        for name, value in now.items()
        if figures.get(name) != value
    ]


def page(figures: Figures) -> str:
    """The page, in Markdown."""
    return "\n".join([*_head(figures), *_errors(figures), *_fusion(figures)]) + "\n"


def _text(paragraph: str) -> list[str]:
    """A paragraph in lines."""
    return [*textwrap.wrap(paragraph, 138, break_long_words=False, break_on_hyphens=False), ""]


def _head(figures: Figures) -> Iterator[str]:
    yield from ("# How exact, and what fusion gains", "")
    yield from _text(
        "Written by `scripts/correctness`, which runs the "
        f"[conformance corpus](../tests/conformance/README.md) ({figures['cases']:,} cases); a test fails "
        "when the figures are of another engine version or kernel table than the code's. The numbers, each "
        "with the case that is worst: [correctness.json](correctness.json)."
    )
    yield from _text(f"Engine {figures['engine']}, kernel table `{figures['kernel_table']}`.")
    yield from ("| device | |", "| --- | --- |")
    for name, label in DEVICES.items():
        found = figures["devices"][name]["fingerprint"]
        told = [str(found[key]) for key in ("adapter", "runtime", "browser") if found.get(key)]
        yield f"| {label} | {', '.join(told)} |"
    yield ""


def _errors(figures: Figures) -> Iterator[str]:
    yield from ("## The worst errors", "")
    yield from _text(
        "Against the oracle in f64: in ulp of the type, and as a share. Both are of the exact result; of a "
        "sum they are of the sum of its terms' magnitudes, of a composite of the largest result. Where 0 "
        "stands, and in what is not listed, every result was the exact one: integers, truths, random words. "
        "In the fast tier exp, log and their kin (elementary) are WGSL's own: no bound holds of them, nor of "
        "what they make of NaN, infinities and zeros, which is not judged there."
    )
    told: list[list[str]] = []
    for tier in TIERS:
        rows = list(_rows(figures, tier))
        head = f"| family · type · class | {' | '.join(DEVICES.values())} |"
        new = [row for row in rows if all(row not in before for before in told)]
        yield from (f"### {tier}", "")
        if told:
            yield from (f"{'All' if not new else 'All but these'} as in {TIERS[0]}.", "")
        if new:
            yield from (head, "| --- |" + " --- |" * len(DEVICES), *new, "")
        told.append(rows)


def _rows(figures: Figures, tier: str) -> Iterator[str]:
    """One row for each kind of result that is not exact everywhere."""
    errors = {
        name: figures["devices"][name]["errors"]["oracle" if name == "oracle" else tier] for name in DEVICES
    }
    for kind in dict.fromkeys(kind for found in errors.values() for kind in found):
        cells = [
            f"{found[kind][0]:.3g} ulp, {found[kind][1]:.1e}" if kind in found else "0"
            for found in errors.values()
        ]
        yield f"| {kind} | {' | '.join(cells)} |"


def _fusion(figures: Figures) -> Iterator[str]:
    yield from ("## What fusion gains", "")
    yield from _text(
        "The time of the plan in which each operation that computes is a kernel of its own, over that of "
        "the fused one: median and quartiles of pairs taken in turn in one run, in the prod tier, with the "
        "results left on the device. Views are read in place in both."
    )
    yield from (
        "| program | dispatches | native, fused | unfused / fused | Chromium, fused | unfused / fused |",
        "| --- | --- | --- | --- | --- | --- |",
    )
    native, tab = (figures["devices"][name]["fusion"] for name in ("native", "chromium"))
    for name, row in native.items():
        fused, apart = row["dispatches"]
        yield f"| {name} | {apart} → {fused} | {_gain(row)} | {_gain(tab[name])} |"
    bands = []
    for name, rows in (("native", native), ("Chromium", tab)):
        medians = [row["ratio"][1] for row in rows.values()]
        bands.append(f"{min(medians):.2f} to {max(medians):.2f} on {name}")
    others = sum(sum(figures["devices"][name]["other_bits"].values()) for name in ("native", "chromium"))
    same = (
        "every case has the same bits unfused" if not others else f"{others} results have other bits unfused"
    )
    yield ""
    yield from _text(
        f"The band of medians: {', '.join(bands)}. Over the whole corpus, in every tier, {same}."
    )[:-1]


def _gain(row: Figures) -> str:
    low, middle, high = row["ratio"]
    return f"{row['fused_ms']:.2f} ms | {middle:.2f} ({low:.2f} to {high:.2f})"

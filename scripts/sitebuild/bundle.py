"""JavaScript and styles, by esbuild."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from sitebuild import ROOT, run_tool

ESBUILD = ROOT / "node_modules" / ".bin" / "esbuild"
TARGET = "es2022"

MODULES = ("static/main.js", "static/worker.js")
"""Entry points of the page and its worker; what both import is written once, under static/chunks/."""

CLASSIC = ("static/theme.js",)
"""Scripts that run before the first paint."""

STYLES = ("static/styles/index.css",)


def bundle_page(out: Path, build: str) -> None:
    """Write dist/static/: module bundles, classic scripts and styles. `build` is put in for SCELLIS_BUILD."""
    _esbuild(
        *MODULES, "--format=esm", "--splitting", "--chunk-names=chunks/[name]-[hash]", "--loader:.ftl=text",
        _define("SCELLIS_BUILD", build), f"--outdir={out / 'static'}", "--outbase=static",
    )  # fmt: skip
    _esbuild(*CLASSIC, "--format=iife", f"--outdir={out / 'static'}", "--outbase=static")
    _esbuild(*STYLES, f"--outdir={out / 'static'}", "--outbase=static", "--external:*.svg")


def bundle_service_worker(out: Path, manifest: list[dict[str, str]]) -> None:
    """Write dist/sw.js, Workbox included, with the manifest of the whole site in it."""
    _esbuild(
        "static/sw.js", "--format=iife", _define("process.env.NODE_ENV", "production"),
        _define("SCELLIS_MANIFEST", manifest), f"--outfile={out / 'sw.js'}",
    )  # fmt: skip


def _define(name: str, value: Any) -> str:
    return f"--define:{name}={json.dumps(value)}"


def _esbuild(*arguments: str) -> None:
    common = ["--bundle", "--minify", f"--target={TARGET}", "--legal-comments=eof", "--log-level=warning"]
    run_tool("esbuild", [str(ESBUILD), *arguments, *common])

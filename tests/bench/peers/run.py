"""Scellis beside TensorFlow.js and jax-js: the same work on the same numbers, in one Chromium, by turns.

    python tests/bench/peers/run.py [OPTIONS AS JSON]

The peers come from npm, pinned by package-lock.json beside this file; nothing else of the project needs them.
Every time runs from the first step asked for to the arrival of the last one's result: an array that was
mapped again and again, whole, or a loss. What they find must agree, and agree with f64.
`docs/bench/peers.md` keeps the figures.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import attrs
from playwright.sync_api import Browser, Page, Worker, sync_playwright

if __name__ == "__main__":
    sys.path[:0] = [str(Path(__file__).parents[2]), str(Path(__file__).parents[3] / "scripts")]

from bench.peers.cases import Case, all_cases
from bench.peers.processor import children_ms
from sitebuild import ROOT
from sitebuild.bundle import ESBUILD
from support.chromium import CHROMIUM_ARGS, WEBGPU_ARGS, find_chromium
from support.leaks import python_worker
from support.page import PATIENCE_MS, wait_ready
from support.servers import StaticServer
from support.site import built_site

HERE = Path(__file__).parent
PAGE = ROOT / "build" / "peers"
LIBRARIES = ("scellis", "tfjs", "jax")
DIGITS = 1e-5
"""How far what two libraries find may be apart, of its size, and how far from f64: five digits."""
LOSS_FLOOR = 1e-1
"""Below it a loss is compared in absolute terms: cross-entropy is a difference of numbers of size one."""

SENT = ("data.py", "scellis_side.py", "contest.py")
IN_TAB = """
import sys
from pathlib import Path
folder = Path("/tmp/peers/bench/peers")
folder.mkdir(parents=True)
for name, text in sources.items():
    (folder / name).write_text(text)
sys.path.insert(0, "/tmp/peers")
from js import scellis
from scellis.device.browser import open_browser_gpu
from bench.peers.contest import Contest
contest = Contest(await open_browser_gpu(scellis.bridge.gpu), tier)
"""


@attrs.frozen
class Options:
    """Which cases by a part of their names, which libraries, rounds if not the cases' own, Scellis' tier,
    arguments for WebGPU.
    """

    cases: tuple[str, ...] = ("",)
    libraries: tuple[str, ...] = LIBRARIES
    rounds: int | None = None
    tier: str = "prod"
    chromium: tuple[str, ...] = tuple(WEBGPU_ARGS)


@attrs.frozen
class Peer:
    """A library of JavaScript in its worker."""

    worker: Worker

    def ask(self, verb: str, request: Any = None) -> Any:
        """Await a method of contest.js."""
        return self.worker.evaluate("([verb, request]) => contest[verb](request)", [verb, request])


@attrs.frozen
class Ours:
    """Scellis in the app's worker."""

    worker: Worker

    def ask(self, verb: str, request: Any = None) -> Any:
        """Await a method of contest.py."""
        source = f"await contest.{verb}({json.dumps(json.dumps(request))})"
        answer = self.worker.evaluate("(source) => self.scellis.pyodide.runPythonAsync(source)", source)
        return json.loads(answer)


def build_page() -> None:
    """Install the peers where the lock file is newer, and bundle them with the page."""
    lock, stamp = HERE / "package-lock.json", HERE / "node_modules" / ".installed-from"
    if not stamp.exists() or stamp.read_bytes() != lock.read_bytes():
        subprocess.run(["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"], cwd=HERE, check=True)
        stamp.write_bytes(lock.read_bytes())
    entries = [str(HERE / f"{name}.js") for name in ("tfjs", "jax")]
    options = ["--bundle", "--splitting", "--format=esm", "--minify", "--log-level=error", f"--outdir={PAGE}"]
    subprocess.run([str(ESBUILD), *entries, f"--inject:{HERE / 'count.js'}", *options], cwd=ROOT, check=True)
    (PAGE / "index.html").write_bytes((HERE / "index.html").read_bytes())


def open_ours(page: Page, url: str, tier: str) -> Ours:
    """The app with contest.py in its Python, and WebGPU counted."""
    page.goto(url)
    wait_ready(page)
    worker = python_worker(page)
    worker.evaluate((HERE / "count.js").read_text(encoding="utf-8"))
    sources = {name: (HERE / name).read_text(encoding="utf-8") for name in SENT}
    worker.evaluate(
        "(source) => self.scellis.pyodide.runPythonAsync(source).then(() => null)",
        f"sources = {sources!r}\ntier = {tier!r}\n{IN_TAB}",
    )
    return Ours(worker)


def open_peers(page: Page, url: str) -> dict[str, Peer]:
    """Both libraries, started on WebGPU."""
    page.on("console", lambda message: print(f"page: {message.text}", file=sys.stderr))
    page.goto(url)
    page.wait_for_function("() => globalThis.here === 2", timeout=PATIENCE_MS)
    peers = {Path(worker.url).stem: Peer(worker) for worker in page.workers}
    for name, peer in peers.items():
        started = peer.ask("open")
        assert started == "webgpu", f"{name} runs on {started}"
    return peers


@attrs.define
class Result:
    """What one library did in one case."""

    times: list[float] = attrs.field(factory=list)
    cpu: list[float] = attrs.field(factory=list)
    found: list[float] = attrs.field(factory=list)
    made: dict[str, int] = attrs.field(factory=dict)
    """in the last round"""


def play(case: Case, libraries: dict[str, Peer | Ours], rounds: int) -> dict[str, Result]:
    """A round that does not count, then `rounds` by turns. Raises where a library fails or disagrees.

    A library that refuses the case, and says so, has no result.
    """
    refused = {name: library.ask("prepare", case.request) for name, library in libraries.items()}
    for name, reason in refused.items():
        if reason is not None:
            print(f"{name}, {case.name}: {reason}", file=sys.stderr)
    libraries = {name: library for name, library in libraries.items() if refused[name] is None}
    results = {name: Result() for name in libraries}
    order = list(libraries)
    for number in range(rounds + 1):
        for name in order:
            library, result = libraries[name], results[name]
            library.ask("start", number)
            before = children_ms()
            played = library.ask("play", case.steps)
            after = children_ms()
            result.found += library.ask("found")
            result.made = played["made"]
            if number:
                result.times.append(played["ms"] / case.steps)
                if before is not None and after is not None:
                    result.cpu.append((after - before) / case.steps)
        order = order[1:] + order[:1]
        if number == 0:
            _check_f64(case, results)
    for name, library in libraries.items():
        library.ask("close")
        assert not (errors := library.ask("errors")), f"{name}, {case.name}: {errors[:3]}"
    _check_agreement(case, results)
    return results


def _check_f64(case: Case, results: dict[str, Result]) -> None:
    # The first step of a round belongs to its start.
    expected = case.expected(0, case.steps + 1)
    for name, result in results.items():
        assert expected is None or abs(result.found[0] - expected) <= DIGITS * expected, (
            f"{name}, {case.name}: {result.found[0]} where f64 gives {expected}"
        )


def _check_agreement(case: Case, results: dict[str, Result]) -> None:
    floor = LOSS_FLOOR if case.rows is None else 0.0
    first = next(iter(results))
    for name, result in results.items():
        for place, (a, b) in enumerate(zip(results[first].found, result.found, strict=True)):
            assert abs(a - b) <= DIGITS * max(abs(a), floor), (
                f"{case.name}: number {place} is {a} of {first} and {b} of {name}"
            )


def row_of(case: Case, results: dict[str, Result]) -> dict[str, Any]:
    """One line of JSON: medians in ms a step, and what a step dispatches and makes."""
    first = next(iter(results.values()))
    row: dict[str, Any] = {"case": case.name, "steps": case.steps, "rounds": len(first.times)}
    for name, result in results.items():
        row[name] = {
            "ms": round(statistics.median(result.times), 3),
            "best_ms": round(min(result.times), 3),
            "cpu_ms": round(statistics.median(result.cpu), 3) if result.cpu else None,
            **{key: round(value / case.steps, 2) for key, value in result.made.items()},
        }
    if case.rows is None:
        row["losses"] = [round(value, 6) for value in [*first.found[:3], first.found[-1]]]
        row["loss_count"] = len(first.found)
    return row


def table(rows: Sequence[dict[str, Any]]) -> str:
    """The rows for people: ms a step by the clock and of processor time, dispatches, and objects made."""
    names = ["case", *LIBRARIES, "best peer / Scellis", "the same of processor time"]
    lines = [f"| {' | '.join(names)} |", f"| {' | '.join('---' for _ in names)} |"]
    for row in rows:
        cells = [_cell(row[name]) if name in row else "none" for name in LIBRARIES]
        ratios = [_ratio(row, key) for key in ("ms", "cpu_ms")]
        lines.append(f"| {' | '.join([row['case'], *cells, *ratios])} |")
    return "\n".join(lines)


def _cell(one: dict[str, Any]) -> str:
    made = one["buffers"] + one["bindGroups"] + one["pipelines"]
    cpu = f"{one['cpu_ms']:.3g}" if one["cpu_ms"] else "?"
    return f"{one['ms']:.3g}; {cpu}; {one['dispatches']:g}; {made:g}"


def _ratio(row: dict[str, Any], key: str) -> str:
    ours, *peers = (row.get(name, {}).get(key) for name in LIBRARIES)
    known = [time for time in peers if time]
    return f"{min(known) / ours:.2f}" if ours and known else ""


def main(options: Options) -> None:
    """Measure what the options ask for; each case is a line of JSON, then comes the table."""
    build_page()
    servers = [StaticServer(built_site()), StaticServer(PAGE)]
    for server in servers:
        server.start()
    with sync_playwright() as playwright:
        browser: Browser = playwright.chromium.launch(
            executable_path=find_chromium(), args=[*CHROMIUM_ARGS, *options.chromium]
        )
        context = browser.new_context()
        ours = open_ours(context.new_page(), servers[0].url, options.tier)
        peers = open_peers(context.new_page(), servers[1].url)
        started: dict[str, Peer | Ours] = {"scellis": ours, **peers}
        libraries = {name: started[name] for name in LIBRARIES if name in options.libraries}
        print(json.dumps({"chromium": browser.version, "tier": options.tier}), flush=True)
        rows = []
        for case in all_cases():
            if any(part in case.name for part in options.cases):
                rows.append(row_of(case, play(case, libraries, options.rounds or case.rounds)))
                print(json.dumps(rows[-1], ensure_ascii=False), flush=True)
        browser.close()
    for server in servers:
        server.stop()
    print(table(rows))


if __name__ == "__main__":
    main(Options(**json.loads(sys.argv[1] if len(sys.argv) > 1 else "{}")))

"""`scellis explain PROGRAM`: what a program becomes on the way to a device, rung by rung."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from scellis.cli.run import read_file, read_job
from scellis.content import parse_json
from scellis.errors import ScellisError
from scellis.graph import Graph
from scellis.graph.mixed import PRECISIONS, apply_precision
from scellis.job.compute import sample_spec
from scellis.kernels.config import KERNEL_TABLE
from scellis.kernels.explain import cuts_as_text, kernels_as_text, nodes_as_text, picture, plan_as_text
from scellis.kernels.fit import ELEMENT_BYTES, HALVES, LEAST_BINDING_BYTES, MOST_BYTES
from scellis.kernels.folds import FEATURES as SUBGROUPS
from scellis.kernels.plan import LEAST_BINDINGS, plan_graph
from scellis.kernels.sampling import TIERS, lower

GRAPH_BYTES = 64 * 1024 * 1024
"""The longest graph that is read."""


def add_arguments(commands: Any) -> None:
    """The grammar of `explain`."""
    command: argparse.ArgumentParser = commands.add_parser(
        "explain", help="show what a program becomes: op graph, fused kernels, buffers, WGSL"
    )
    command.add_argument(
        "program",
        type=Path,
        help="a job (.sml, or its JSON), or a graph of arrays as `Graph.listing` or `to_json` gives it",
    )
    command.add_argument("--adapter", choices=("software", "gpu"), default="gpu", help="class of adapter")
    command.add_argument(
        "--tier", choices=TIERS, default="prod", help="of a graph of arrays; a job has its own"
    )
    command.add_argument(
        "--bindings",
        type=_bindings,
        default=LEAST_BINDINGS,
        help="arrays a kernel may bind (default %(default)s)",
    )
    command.add_argument(
        "--array-bytes",
        type=_array_bytes,
        default=LEAST_BINDING_BYTES,
        help="the largest array that the device binds; larger ones are cut (default %(default)s)",
    )
    command.add_argument(
        "--precision", choices=PRECISIONS, default="f32", help="of a graph of arrays (default %(default)s)"
    )
    command.add_argument(
        "--feature",
        choices=(HALVES, *SUBGROUPS),
        action="append",
        default=[],
        help="what the adapter has beyond what all have",
    )
    command.add_argument(
        "--unfused", action="store_true", help="each operation that computes as a kernel of its own"
    )
    shown = command.add_mutually_exclusive_group()
    shown.add_argument("--wgsl", action="store_true", help="the kernels' text besides")
    shown.add_argument("--dot", action="store_true", help="the fused graph as a picture, for Graphviz' dot")
    command.set_defaults(act=act)


def _bindings(text: str) -> int:
    """As many as WebGPU grants at least, or more."""
    count = int(text)
    if not LEAST_BINDINGS <= count <= 1024:
        raise argparse.ArgumentTypeError(f"a device binds {LEAST_BINDINGS} or more, 1024 at most")
    return count


def _array_bytes(text: str) -> int:
    """One element or more."""
    size = int(text)
    if not ELEMENT_BYTES <= size <= MOST_BYTES:
        raise argparse.ArgumentTypeError(f"an array has from {ELEMENT_BYTES} to {MOST_BYTES} bytes")
    return size


async def act(options: argparse.Namespace) -> int:
    """Print the rungs."""
    graph = _graph(options.program)
    if graph is None:
        _explain_job(options)
        return 0
    limits = {
        "maxStorageBuffersPerShaderStage": options.bindings,
        "maxStorageBufferBindingSize": options.array_bytes,
    }
    precise, fused = apply_precision(graph, options.precision), not options.unfused
    plan = plan_graph(
        precise, limits, options.tier, adapter=options.adapter, features=options.feature, fused=fused
    )
    if options.dot:
        print(picture(plan))
        return 0
    _print("Op graph", nodes_as_text(graph))
    if precise != graph:
        _print(f"In the precision {options.precision}", nodes_as_text(precise))
    if plan.split.whole != precise:
        _print("Pruned and written out", nodes_as_text(plan.split.whole))
    if plan.graph != plan.split.whole:
        _print(f"Cut into arrays of at most {options.array_bytes:,} bytes", cuts_as_text(plan.split))
        _print("In parts", nodes_as_text(plan.graph))
    made = "Fused" if fused else "Unfused"
    _print(f"{made} for a {options.adapter} adapter, {options.tier}", plan_as_text(plan))
    if options.wgsl:
        for name, text in kernels_as_text(plan):
            _print(name, text)
    return 0


def _graph(path: Path) -> Graph | None:
    """The graph of arrays in a file, None where it holds a job. Raises `SCL-RUN-FILE`, `SCL-GRAPH-*`."""
    if path.suffix != ".json":
        return None
    value = parse_json(read_file(path), what=str(path), limit_bytes=GRAPH_BYTES)
    if not isinstance(value, dict) or not {"nodes", "places"} & value.keys():
        return None
    return Graph.from_listing(value) if "places" in value else Graph.from_json(value)


def _explain_job(options: argparse.Namespace) -> None:
    """A sampled program is one kernel: each thread draws, evaluates and accumulates."""
    job = read_job(options.program, None)
    if options.dot:
        raise ScellisError(
            "SCL-RUN-FILE", "A job is one kernel: there is no picture of it.", "Leave out --dot."
        )
    name = "debug" if job.determinism_tier == "debug" else options.adapter
    kernel = lower(job.program, sample_spec(job), job.determinism_tier, KERNEL_TABLE[name])
    _print("Op graph", nodes_as_text(job.program))
    _print(
        f"One kernel for a {options.adapter} adapter, {job.determinism_tier}",
        f"{kernel.address}\n{kernel.groups_per_shard} workgroups a shard of "
        f"{job.partition.draws_per_shard:,} draws, which leaves "
        f"{kernel.moments_bytes + kernel.histogram_bytes:,} bytes",
    )
    if options.wgsl:
        _print("WGSL", kernel.wgsl)


def _print(title: str, text: str) -> None:
    print(f"── {title} ──\n{text}\n")

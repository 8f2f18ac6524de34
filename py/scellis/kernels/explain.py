"""What becomes of a graph of arrays, rung by rung, for people: text, and a picture in Graphviz' language."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from scellis.graph.cuts import boxes, lengths
from scellis.graph.fuse import computed
from scellis.graph.graph import Graph
from scellis.graph.places import at
from scellis.graph.split import Split
from scellis.kernels.assembly import ArrayKernel
from scellis.kernels.plan import ArrayPlan
from scellis.kernels.table import kernel_table_address


def nodes_as_text(graph: Graph) -> str:
    """One line a node: number, what it computes of which, the type of the result, and where it comes from."""
    lines = []
    outputs = set(graph.outputs)
    for index, node in enumerate(graph.nodes):
        args = [f"%{argument}" for argument in node.args]
        params = [f"{name}={_shown(value)}" for name, value in node.params.items()]
        given = " → output" if index in outputs else ""
        lines.append(
            f"%{index} = {node.op}({', '.join(args + params)}): {graph.types[index]}{given}"
            f"{at(graph.places[index])}"
        )
    return "\n".join(lines)


def cuts_as_text(split: Split) -> str:
    """One line for each node that is cut: its type, how many parts, and the shape of the first."""
    lines = []
    for index, (node, type_, cut) in enumerate(
        zip(split.whole.nodes, split.whole.types, split.cuts, strict=True)
    ):
        parts = boxes(cut)
        if len(parts) > 1:
            lines.append(f"%{index} {node.op}: {type_} in {len(parts)} parts of {lengths(parts[0])}")
    return "\n".join(lines)


def plan_as_text(plan: ArrayPlan) -> str:
    """One paragraph a dispatch, in order; then the buffers."""
    kernels = {step.kernel.address for step in plan.steps}
    inputs = dict(zip(plan.inputs, plan.graph.inputs, strict=True))
    lines = [
        f"{len(plan.steps)} dispatches of {len(kernels)} kernels, one submit; {len(plan.sizes)} buffers of "
        f"{plan.bytes:,} bytes in all, {len(plan.copies)} copies at the end.",
        f"This plan is {plan.address}, of the kernel table {kernel_table_address()}.",
        *plan.notices,
    ]
    for number, step in enumerate(plan.steps):
        kernel, border = step.kernel, len(step.kernel.reads)
        grid = " × ".join(map(str, kernel.workgroups))
        nodes = [(index, plan.graph.nodes[index].op) for index in _computed(plan.graph, kernel)]
        inner = [f"%{index} {op}" for index, op in nodes if op not in ("constant", "broadcast_to")]
        lines += [
            "",
            f"{number}. {kernel.template}, {grid} workgroups, {kernel.address[:19]}{_enabled(kernel)}",
            f"   computes {', '.join(inner)}",
            *_origins(plan.graph, [index for index, _ in nodes]),
            f"   reads {_held(plan.graph, kernel.reads, step.buffers[:border], inputs) or 'nothing'}",
            f"   writes {_held(plan.graph, kernel.roots, step.buffers[border:], inputs)}",
        ]
    return "\n".join(lines)


def kernels_as_text(plan: ArrayPlan) -> Iterator[tuple[str, str]]:
    """The address and WGSL of each kernel, once."""
    yield from {step.kernel.address: step.kernel.wgsl for step in plan.steps}.items()


def picture(plan: ArrayPlan) -> str:
    """The plan as a directed graph in DOT: a box of nodes for each dispatch, arrays on what leads between."""
    graph = plan.graph
    lines = ["digraph plan {", "  node [shape=box, style=rounded]"]
    lines += [f'  n{node} [label="input {graph.types[node]}", shape=ellipse]' for node in graph.inputs]
    inside: set[tuple[int, int]] = set()
    for number, step in enumerate(plan.steps):
        lines += [f"  subgraph cluster_{number} {{", f'    label="{number}. {step.kernel.template}"']
        for index in _computed(graph, step.kernel):
            lines.append(f'    s{number}_{index} [label="{graph.nodes[index].op}"]')
            inside.add((number, index))
        lines.append("  }")
    made = {root: f"s{number}_{root}" for number, step in enumerate(plan.steps) for root in step.kernel.roots}
    for number, index in sorted(inside):
        for argument in graph.nodes[index].args:
            stored = (number, argument) not in inside
            source = made.get(argument, f"n{argument}") if stored else f"s{number}_{argument}"
            label = f' [label="{graph.types[argument]}"]' if stored else ""
            lines.append(f"  {source} -> s{number}_{index}{label}")
    return "\n".join([*lines, "}"])


def _enabled(kernel: ArrayKernel) -> str:
    """What a kernel takes of a device that not all have."""
    names = re.findall(r"^enable (\w+);", kernel.wgsl, re.MULTILINE)
    return f", with {', '.join(names)}" if names else ""


def _origins(graph: Graph, nodes: Sequence[int]) -> list[str]:
    """A line that says where a kernel's nodes come from, none where that is not known."""
    known = [place for place in dict.fromkeys(graph.places[node] for node in nodes) if place]
    return [f"   from {'; '.join(known)}"] if known else []


def _computed(graph: Graph, kernel: ArrayKernel) -> list[int]:
    """The nodes that a kernel computes, stored or not, in order."""
    return sorted(
        node for node in computed(graph, kernel.roots, set(kernel.reads)) if graph.nodes[node].op != "input"
    )


def _held(graph: Graph, nodes: Sequence[int], buffers: Sequence[int], inputs: Mapping[int, int]) -> str:
    """Arrays with the buffers that hold them; `inputs` by the buffers that are theirs."""
    return ", ".join(
        f"%{node} {graph.types[node]} in buffer {buffer}"
        + (f" over %{inputs[buffer]}" if inputs.get(buffer, node) != node else "")
        for node, buffer in zip(nodes, buffers, strict=True)
    )


def _shown(value: object) -> str:
    return f"{value:.9g}" if isinstance(value, float) else str(value)

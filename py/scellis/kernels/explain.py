"""What becomes of a graph of arrays, rung by rung, for people: text, and a picture in Graphviz' language."""

from __future__ import annotations

from collections.abc import Iterator

from scellis.graph.cuts import boxes, lengths
from scellis.graph.fuse import computed
from scellis.graph.graph import Graph
from scellis.graph.split import Split
from scellis.kernels.assembly import ArrayKernel
from scellis.kernels.plan import ArrayPlan, Step


def nodes_as_text(graph: Graph) -> str:
    """One line a node: its number, what it computes of which, and the type of the result."""
    lines = []
    for index, node in enumerate(graph.nodes):
        args = [f"%{argument}" for argument in node.args]
        params = [f"{name}={_shown(value)}" for name, value in node.params.items()]
        given = " → output" if index in graph.outputs else ""
        lines.append(f"%{index} = {node.op}({', '.join(args + params)}): {graph.types[index]}{given}")
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
    lines = [
        f"{len(plan.steps)} dispatches of {len(kernels)} kernels, one submit; {len(plan.sizes)} buffers of "
        f"{plan.bytes:,} bytes in all, {len(plan.copies)} copies at the end."
    ]
    for number, step in enumerate(plan.steps):
        kernel = step.kernel
        grid = " × ".join(map(str, kernel.workgroups))
        nodes = [(index, plan.graph.nodes[index].op) for index in _computed(plan.graph, kernel)]
        inner = [f"%{index} {op}" for index, op in nodes if op not in ("constant", "broadcast_to")]
        lines += [
            "",
            f"{number}. {kernel.template}, {grid} workgroups, {kernel.address[:19]}",
            f"   computes {', '.join(inner)}",
            f"   reads {_held(plan, step, kernel.reads, 0) or 'nothing'}",
            f"   writes {_held(plan, step, kernel.roots, len(kernel.reads))}",
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


def _computed(graph: Graph, kernel: ArrayKernel) -> list[int]:
    """The nodes that a kernel computes, stored or not, in order."""
    return sorted(computed(graph, kernel.roots, {*kernel.reads, *graph.inputs}))


def _held(plan: ArrayPlan, step: Step, nodes: tuple[int, ...], first: int) -> str:
    """Arrays with the buffers that hold them."""
    bound = step.buffers[first : first + len(nodes)]
    return ", ".join(
        f"%{node} {plan.graph.types[node]} in buffer {buffer}"
        + (f" over %{plan.graph.inputs[plan.inputs.index(buffer)]}" if _is_over(plan, node, buffer) else "")
        for node, buffer in zip(nodes, bound, strict=True)
    )


def _is_over(plan: ArrayPlan, node: int, buffer: int) -> bool:
    return buffer in plan.inputs and node not in plan.graph.inputs


def _shown(value: object) -> str:
    return f"{value:.9g}" if isinstance(value, float) else str(value)

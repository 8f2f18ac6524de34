"""A program as text for people: one line an operation."""

from __future__ import annotations

from collections.abc import Sequence

from scellis.graph.graph import Graph
from scellis.graph.program import constant_of

_SIGNS = {"add": "+", "subtract": "−", "multiply": "×", "divide": "÷"}


def describe(graph: Graph, inputs: Sequence[str], output: str) -> str:
    """The graph in lines; `inputs` name its draws in order, `output` its result, for reading alone."""
    names: list[str] = []
    lines: list[str] = []
    labels = iter(inputs)
    for index, node in enumerate(graph.nodes):
        if node.op == "constant":
            names.append(f"{constant_of(graph, index):.12g}")
            continue
        names.append(output if index == graph.output else f"%{index}")
        if index in graph.draws:
            names[-1] = next(labels, names[-1])
            parameters = ", ".join(f"{key}={value:.12g}" for key, value in node.params.items())
            text = f"{node.op.removeprefix('draw_')}({parameters})"
        elif node.op in _SIGNS:
            text = f" {_SIGNS[node.op]} ".join(names[argument] for argument in node.args)
        else:
            text = f"{node.op}({', '.join(names[argument] for argument in node.args)})"
        lines.append(f"{names[-1]} = {text}")
    return "\n".join(lines)

"""The reference evaluation of a graph: what every device is held to."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from scellis.errors import ScellisError
from scellis.graph.draws import DRAWS
from scellis.graph.graph import Graph, Node
from scellis.graph.movement import NUMPY_TYPES
from scellis.graph.op import F64, Array
from scellis.graph.ops import OPS
from scellis.graph.places import at
from scellis.graph.program import constant_of, parameters_of
from scellis.graph.types import FLOATS

VALUES_LIMIT = 2**22
"""Numbers that are held at a time: 32 MB in f64."""


def chunks(graph: Graph, draws: int, most: int) -> Iterator[tuple[int, int]]:
    """First draw and size of the parts, of at most `most` draws, in which a program is to be evaluated."""
    size = min(most, max(VALUES_LIMIT // (len(graph.nodes) + graph.words), 1))
    for start in range(0, draws, size):
        yield start, min(size, draws - start)


def _interpret(
    graph: Graph, source: Callable[[int, Node], Array | None], *, wide: bool = True
) -> list[Array]:
    """Every node's array; `source` gives those of inputs, draws, constants, or None. `wide`: see `compute`.

    Division by zero, overflow and the like give infinities and NaN, as on a GPU; the caller counts them.
    """
    values: list[Array] = []
    with np.errstate(all="ignore"):
        for index, node in enumerate(graph.nodes):
            value = source(index, node) if not node.args else None
            if value is None:
                arrays = [values[argument] for argument in node.args]
                if wide and node.op == "astype" and graph.types[index].dtype in FLOATS:
                    value = arrays[0].astype(np.float64)  # which stands for either width
                else:
                    value = OPS[node.op].evaluate(arrays, node.params, graph.types[index])
            values.append(value)
    return values


def evaluate_nodes(program: Graph, uniforms: Sequence[F64]) -> list[F64]:
    """Every node's values, `(n,) f64` each, from `program.words` arrays of uniforms `(n,) f64`."""
    size = uniforms[0].shape[0]

    def source(index: int, node: Node) -> F64:
        if node.op == "constant":
            return np.full(size, constant_of(program, index))
        distribution, word = DRAWS[node.op], program.draws[index]
        return distribution.sample(parameters_of(node), uniforms[word : word + distribution.words])

    return _interpret(program, source)


def evaluate(program: Graph, uniforms: Sequence[F64]) -> F64:
    """The values of a program's output, `(n,) f64`."""
    return evaluate_nodes(program, uniforms)[program.output]


def check_inputs(graph: Graph, inputs: Sequence[Array | None], known: Sequence[bool]) -> None:
    """Raise `SCL-GRAPH-INPUT` for an input of another shape or type than the graph's.

    None stands for one that is `known` from before.
    """
    if len(inputs) != len(graph.inputs):
        raise ScellisError(
            "SCL-GRAPH-INPUT", f"The graph takes {len(graph.inputs)} inputs; {len(inputs)} were given."
        )
    for number, (index, array) in enumerate(zip(graph.inputs, inputs, strict=True)):
        wanted, name = graph.types[index], f"Input {number}{at(graph.places[index])}"
        if array is None:
            if not known[number]:
                raise ScellisError("SCL-GRAPH-INPUT", f"{name}, {wanted}, was not given yet.")
            continue
        if not isinstance(array, (np.ndarray, np.generic)):
            raise ScellisError(
                "SCL-GRAPH-INPUT",
                f"{name} is to be an array, {wanted}; a {type(array).__name__} was given.",
                "Make it one with numpy.asarray.",
            )
        kind = NUMPY_TYPES[wanted.dtype]
        held = {kind, np.float64} if wanted.dtype in FLOATS else {kind}
        if array.shape != wanted.shape or array.dtype not in map(np.dtype, held):
            raise ScellisError(
                "SCL-GRAPH-INPUT",
                f"{name} is to be {wanted}; {array.shape} {array.dtype} was given.",
            )


def compute(graph: Graph, inputs: Sequence[Array], *, wide: bool = True) -> list[Array]:
    """The outputs of a graph of arrays, from its inputs in order.

    `wide`: floats are computed in f64, the truth that devices are held to; else in their own types, as a
    device has them. Raises `SCL-GRAPH-INPUT` for an input of another shape or type than the graph's.
    """
    check_inputs(graph, inputs, [False] * len(inputs))
    given: dict[int, Array] = {}
    for index, array in zip(graph.inputs, inputs, strict=True):
        dtype = graph.types[index].dtype
        given[index] = array.astype(np.float64 if wide and dtype in FLOATS else NUMPY_TYPES[dtype])

    def source(index: int, node: Node) -> Array | None:
        if node.op in ("constant", "iota"):
            value = OPS[node.op].evaluate([], node.params, graph.types[index])
            return value.astype(np.float64) if wide and graph.types[index].dtype in FLOATS else value
        return given.get(index)

    values = _interpret(graph, source, wide=wide)
    return [values[output] for output in graph.outputs]

"""Which nodes share a kernel: chains of elementwise operations go into what reads them or what they follow.

A group computes one array, its root. All other nodes of it are computed on the way, element by element, and
never stored. A group has at most one core: a reduction, a product or another operation that takes a kernel
of its own. What leads up to a reduction is computed as it is read; what follows a core element by element is
computed before it is stored.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Set
from itertools import islice

import attrs

from scellis.graph.attention import ATTENTION_OPS
from scellis.graph.drawn import DRAWN_OPS, WEIGHT_OPS
from scellis.graph.elementwise import ELEMENTWISE_OPS
from scellis.graph.graph import Graph, Node
from scellis.graph.movement import MOVEMENT_OPS
from scellis.graph.types import F16, F32, SIZE_LIMIT

WORK_LIMIT = 64
"""The most elementwise operations that one kernel computes for an element."""
NODE_LIMIT = 128
"""The most nodes of a kernel, those included that only move elements: they are written by recursion."""
PLACES_LIMIT = 16
"""The most places at which a kernel computes a node for one element: a sum of windows needs it at several."""

DRAW_WORK = 24
"""Elementwise operations that a draw by rejection counts for: its kernel is as long as that."""

LIGHT_LIMIT = 6
"""What it may cost to compute an element again wherever it is used, rather than to store and load it."""
LEAVES_LIMIT = 3
"""The most arrays that are read for that."""
LARGE_SHARE = 16
"""An array that has a sixteenth of an element for each one computed, or less, costs little to read."""

CORES = (
    "sum", "prod", "max", "min", "any", "all", "argmax", "argmin", "cumulative_sum", "matmul", "scatter_add",
    "scatter_add_in_order", "merge_order", *ATTENTION_OPS,
)  # fmt: skip
REDUCTIONS = ("sum", "prod", "max", "min", "any", "all", "argmax", "argmin")
VIEWS = tuple(op for op in MOVEMENT_OPS if op != "astype")
ELEMENTS = (*ELEMENTWISE_OPS, "astype", "barrier", "random_words", *DRAWN_OPS, *WEIGHT_OPS)
SOURCES = ("constant", "iota")
MOVES = (*VIEWS, "take")
COSTS = {
    **dict.fromkeys(
        ("add", "subtract", "multiply", "negative", "abs", "minimum", "maximum", "relu", "sign", "where",
         "astype", "equal", "not_equal", "less", "less_equal", "greater", "greater_equal",
         "logical_not", "logical_and", "logical_or", "logical_xor"),
        1,
    ),
    "divide": 4,
    "sqrt": 4,
}  # fmt: skip
"""What elementwise operations cost that are worth doing again, in additions."""


@attrs.frozen
class Group:
    """What one kernel computes: `roots`, from the stored `reads`, about its `cores`, each in order.

    One that `fuse` makes has one root and at most one core; `kernels.merge` joins some. `over` says which
    roots are written where an input lies, as (root, input).
    """

    roots: tuple[int, ...]
    reads: tuple[int, ...]
    cores: tuple[int, ...]
    over: tuple[tuple[int, int], ...] = ()


def computed(graph: Graph, roots: Iterable[int], stored: Container[int]) -> set[int]:
    """The nodes that are computed to have `roots`, these included, where `stored` arrays are only read."""
    found = set(roots)
    pending = list(found)
    while pending:
        for argument in graph.nodes[pending.pop()].args:
            if argument not in found and argument not in stored:
                found.add(argument)
                pending.append(argument)
    return found


def read_by(graph: Graph, nodes: Iterable[int], stored: Set[int]) -> set[int]:
    """The stored arrays that are arguments of any of these nodes."""
    return {argument for node in nodes for argument in graph.nodes[node].args if argument in stored}


def widens(graph: Graph, index: int) -> bool:
    """Whether a node is an f16 array as f32: nothing is lost, and half as much is read."""
    node = graph.nodes[index]
    return node.op == "astype" and (graph.types[node.args[0]].dtype, graph.types[index].dtype) == (F16, F32)


def work_of(graph: Graph, nodes: Iterable[int]) -> int:
    """How many elementwise operations these nodes count for."""
    ops = [graph.nodes[node].op for node in nodes]
    return sum(DRAW_WORK if op in DRAWN_OPS else op in ELEMENTS for op in ops)


def _light(graph: Graph) -> set[int]:
    """The nodes that are computed again wherever they are used: cheap, from one large array at most."""
    found: set[int] = set()
    costs: list[int] = []
    # What would be read to compute each, itself where it is stored; of more than that, so many of them.
    leaves: list[frozenset[int]] = []
    for index, node in enumerate(graph.nodes):
        below = frozenset().union(*(leaves[argument] for argument in node.args))
        cost = COSTS.get(node.op, 0) + sum(costs[argument] for argument in node.args)
        passed = node.op in VIEWS or node.op in SOURCES
        if node.op in COSTS:
            size = graph.types[index].size
            large = sum(graph.types[leaf].size * LARGE_SHARE > size for leaf in below)
            passed = cost <= LIGHT_LIMIT and large <= 1 and len(below) <= LEAVES_LIMIT
            if passed:
                found.add(index)
        costs.append(cost if passed else 0)
        leaves.append(frozenset(islice(below, LEAVES_LIMIT + 1)) if passed else frozenset({index}))
    return found


def fuse(
    graph: Graph,
    bindings: int,
    stored: Set[int] = frozenset(),
    *,
    elements: int = SIZE_LIMIT,
    apart: bool = False,
) -> tuple[Group, ...]:
    """The groups of a graph, in an order in which each finds what it reads.

    A kernel binds at most `bindings` arrays, the one that it writes included. The nodes `stored` are computed
    once, each by a kernel that ends with it. More random words than `elements` are drawn again wherever they
    are used: no buffer holds them. `apart`: each operation that computes is a group of its own; what only
    moves elements is then too a view of what it reads.
    """
    many = {
        index
        for index, node in enumerate(graph.nodes)
        if node.op == "random_words" and graph.types[index].size > elements
    }
    light = _light(graph) | many
    forced = set(stored)
    if apart:
        forced |= {at for at, node in enumerate(graph.nodes) if node.op not in (*VIEWS, *SOURCES)} - many
    while True:
        homes = _Homes(graph, forced, light)
        too_much = homes.beyond(bindings)
        if not too_much:
            return tuple(homes.group(root) for root in sorted(homes.roots) if graph.nodes[root].op != "input")
        forced |= too_much


class _Homes:
    """The root in whose kernel each node is computed; `forced` are roots whatever else holds.

    Nodes are looked at from the last to the first: one whose users all live in one kernel lives there too,
    what is used by several is computed once and stored, and what only moves elements or makes them up is done
    wherever it is used.
    """

    def __init__(self, graph: Graph, forced: set[int], light: Set[int]) -> None:
        self._graph = graph
        self._light = light
        # For each root in whose kernel a node is needed, the places where, told by the moves to them.
        self._of: list[dict[int, set[int]]] = [{} for _ in graph.nodes]
        self._plain = [True] * len(
            graph.nodes
        )  # stands in its kernel where the root does, element by element
        self._cores: dict[int, int] = {}
        self._drawing: set[int] = set()  # roots whose kernel draws by rejection
        self.roots: set[int] = {*graph.outputs, *graph.inputs, *forced}
        for index in range(len(graph.nodes) - 1, -1, -1):
            if index not in self.roots and not self._lives(index):
                self.roots.add(index)
            if index in self.roots:
                self._of[index] = {index: {0}}
                self._plain[index] = True
            self._visit(index)

    def _lives(self, index: int) -> bool:
        """Whether a node is computed where it is used, rather than stored."""
        op, of = self._graph.nodes[index].op, self._of[index]
        if op in CORES:
            alone = of.keys().isdisjoint(self._cores) and of.keys().isdisjoint(self._drawing)
            return len(of) == 1 and self._plain[index] and alone
        if op in DRAWN_OPS:  # once an element, in a kernel that writes it down once
            return len(of) == 1 and self._plain[index] and of.keys().isdisjoint(self._cores)
        if op in SOURCES:
            return True
        shared = len(of) == 1 or op not in ELEMENTS or index in self._light
        return shared and max(map(len, of.values()), default=0) <= PLACES_LIMIT

    def _visit(self, index: int) -> None:
        """Tell the arguments of a node where they are used, and how."""
        graph, node = self._graph, self._graph.nodes[index]
        if node.op in CORES:
            for home in self._of[index]:
                self._cores[home] = index
        if node.op in DRAWN_OPS:
            self._drawing |= self._of[index].keys()
        follows = node.op in ELEMENTS or node.op == "reshape"
        for argument in node.args:
            if node.op in CORES and node.op not in REDUCTIONS and not self._is_mask(node, argument):
                under = self._stored_under(argument)
                # The order that sorting begins with is counted wherever it is looked at.
                if node.op != "merge_order" or graph.nodes[under].op not in SOURCES:
                    self.roots.add(under)
            same = follows and graph.types[argument].size == graph.types[index].size
            self._plain[argument] = self._plain[argument] and same and self._plain[index]
            for home, places in self._of[index].items():
                moved = {hash((index, place)) for place in places} if node.op in MOVES else places
                self._of[argument].setdefault(home, set()).update(moved)

    def _is_mask(self, node: Node, argument: int) -> bool:
        """Whether an argument is looked at once for each score, so that it may be computed there."""
        return node.op in ATTENTION_OPS and argument == node.args[2 if len(node.args) == 3 else 3]

    def _stored_under(self, index: int) -> int:
        """The array that is stored so that a kernel can read `index` of it again: moved, or widened."""
        graph = self._graph
        while (graph.nodes[index].op in VIEWS or widens(graph, index)) and index not in self.roots:
            index = graph.nodes[index].args[0]
        return index

    def group(self, root: int) -> Group:
        """The kernel of a root."""
        reads = read_by(self._graph, computed(self._graph, [root], self.roots), self.roots)
        core = self._cores.get(root)
        return Group((root,), tuple(sorted(reads)), () if core is None else (core,))

    def beyond(self, bindings: int) -> set[int]:
        """Nodes that are to be roots besides, so that no kernel is too large."""
        graph = self._graph
        forced: set[int] = set()
        holds: dict[int, tuple[frozenset[int], frozenset[int]]] = {}  # stored arrays and other nodes
        for index, node in enumerate(graph.nodes):
            for second in (False, True):
                parts = [
                    (frozenset({argument}), frozenset())
                    if argument in self.roots or argument in forced
                    else holds[argument]
                    for argument in node.args
                ]
                reads = frozenset().union(*(part[0] for part in parts))
                inner = frozenset({index}).union(*(part[1] for part in parts))
                work = work_of(graph, inner)
                if second or (len(reads) < bindings and work <= WORK_LIMIT and len(inner) <= NODE_LIMIT):
                    break
                forced |= {
                    argument for argument in node.args if argument not in self.roots and holds[argument][0]
                }
            holds[index] = (reads, inner)
        return forced

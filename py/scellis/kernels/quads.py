"""Four neighbouring elements at a time: read and written as one, computed one after the other."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence

from scellis.graph.fuse import Group
from scellis.graph.graph import Graph
from scellis.kernels.assembly import names
from scellis.kernels.elements import LANES, Elements
from scellis.kernels.expressions import STORED_TYPES, stored
from scellis.kernels.hoist import hoisted


def by_quads(graph: Graph, read: Iterable[tuple[int, str]], roots: Sequence[int]) -> frozenset[int]:
    """The arrays that are read and written at the place of the element at hand alone, `i`, and no other."""
    places: dict[int, set[str]] = {}
    for node, number in read:
        places.setdefault(node, set()).add(number)
    whole = {node for node, numbers in places.items() if numbers == {"i"}} | set(roots)
    return frozenset(node for node in whole if graph.types[node].size % 4 == 0)


def quad(
    graph: Graph,
    group: Group,
    quads: frozenset[int],
    elements: Callable[[], Elements],
    body: Callable[[Elements], dict[int, str]],
    head: Sequence[str] = (),
    varying: Collection[str] = (),
) -> tuple[list[str], list[str]]:
    """The statements for four elements whose first is number 4 `q`, after those that come before all fours.

    `body` writes those of one element, `i`, into fresh `elements` and gives the values of roots to be stored.
    `head` begins each of the four; in it `lane` counts them. `varying`: other names that each four has anew.
    """
    named = names(group)
    lanes: list[str] = []
    taken: set[int] = set()
    made: dict[int, str] = {}
    before: list[str] = []
    for number, lane in enumerate(LANES):
        writing = elements()
        writing.quads, writing.lane = quads, lane
        values = body(writing)
        taken |= {node for node, _ in writing.read if node in quads}
        fours = [f"quad_{named[node]}" for node in quads if node in named]
        # The statements that are the same for each of the four have the same names in all.
        same, own = hoisted(writing.lines, ("q", "i", "lane", *varying, *fours))
        before += [line for line in same if line not in before]
        lines = [f"const lane = {number}u;", "let i = q * 4u + lane;", *head, *own]
        for root, value in values.items():
            made[root] = f"quad_{group.roots.index(root)}"
            lines.append(f"{made[root]}.{lane} = {stored(value, graph.types[root].dtype)};")
        lanes += ["{", *(f"  {line}" for line in lines), "}"]
    first = [f"let quad_{named[node]} = {named[node]}[q];" for node in sorted(taken)]
    first += [f"var {name}: vec4<{STORED_TYPES[graph.types[root].dtype]}>;" for root, name in made.items()]
    last = [f"result{group.roots.index(root)}[q] = {name};" for root, name in made.items()]
    return before, [*first, *lanes, *last]

"""Loops of a fixed number of trips, written out: each trip is nodes of the graph, seen by all passes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from scellis.errors import ScellisError
from scellis.graph import functions
from scellis.graph.trace import Value
from scellis.graph.types import BOOL

State = Sequence[Value]


def scan(
    function: Callable[[State, State], tuple[State, State]], state: State, sequences: State
) -> tuple[list[Value], list[Value]]:
    """`function(state, elements) → (state, results)` for each element along the leading axis of `sequences`.

    Gives the last state, and the results stacked along a new leading axis. Raises `SCL-GRAPH-SHAPE` where the
    leading axes differ or the state changes its type.
    """
    lengths = {sequence.shape[:1] for sequence in sequences}
    if len(lengths) != 1 or lengths in ({()}, {(0,)}):
        shown = ", ".join(str(sequence.type) for sequence in sequences)
        raise ScellisError(
            "SCL-GRAPH-SHAPE", f"scan goes along one leading axis of 1 or more, not of {shown}."
        )
    ((length,),) = lengths
    results: list[State] = []
    for trip in range(length):
        found, given = function(state, [sequence[trip] for sequence in sequences])
        _check_same(state, found)
        state = found
        results.append(given)
    return list(state), [functions.stack(column) for column in zip(*results, strict=True)]


def while_loop(
    condition: Callable[[State], Value], body: Callable[[State], State], state: State, *, trips: int
) -> list[Value]:
    """`body` on the state while `condition` gives true, at most `trips` times; then it ends all the same.

    `condition` gives one bool, or one for each element of states of its shape, which then end one by
    one. The body is computed in every trip; of a state that has ended nothing of it is taken, nor of its
    derivative. Raises `SCL-GRAPH-SHAPE` and `SCL-GRAPH-DTYPE`.
    """
    for _ in range(trips):
        goes_on = condition(state)
        if goes_on.dtype != BOOL:
            raise ScellisError("SCL-GRAPH-DTYPE", f"The condition of a loop is bool, not {goes_on.type}.")
        found = body(state)
        _check_same(state, found)
        state = [functions.where(goes_on, new, old) for new, old in zip(found, state, strict=True)]
    return list(state)


def _check_same(before: State, after: State) -> None:
    if [value.type for value in before] != [value.type for value in after]:
        old, new = (", ".join(str(value.type) for value in state) for state in (before, after))
        raise ScellisError("SCL-GRAPH-SHAPE", f"The state of a loop stays of its type: {old} became {new}.")

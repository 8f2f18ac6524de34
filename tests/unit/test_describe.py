from __future__ import annotations

from scellis.graph import exp, normal, trace, uniform
from scellis.graph.describe import describe


def test_a_graph_reads_line_by_line() -> None:
    graph = trace(lambda a, b: exp(a) * (b - 2) / a, a=normal(0, 1), b=uniform(-1, 0.5))
    assert describe(graph, ("room", "cycle"), "ratio").splitlines() == [
        "room = normal(loc=0, scale=1)",
        "cycle = uniform(low=-1, high=0.5)",
        "%2 = exp(room)",
        "%4 = cycle − 2",
        "%5 = %2 × %4",
        "ratio = %5 ÷ room",
    ]


def test_draws_without_a_name_keep_their_number() -> None:
    graph = trace(lambda a, b: a + b, a=normal(0, 1), b=normal(0, 1))
    assert describe(graph, ("x",), "y").splitlines()[-1] == "y = x + %1"

"""The op set, tracing, and what is known of a program before it runs."""

from scellis.graph.draws import DRAWS
from scellis.graph.evaluate import chunks, evaluate
from scellis.graph.graph import Graph, Node
from scellis.graph.linearise import Linearised, linearise
from scellis.graph.ops import ELEMENTWISE
from scellis.graph.rounding import rounding_bound
from scellis.graph.trace import (
    Builder,
    Draw,
    Value,
    arcsine,
    cos,
    ctrap,
    exp,
    expm1,
    log,
    maximum,
    minimum,
    normal,
    sin,
    sqrt,
    student_t,
    tanh,
    trace,
    uniform,
)

__all__ = [
    "DRAWS",
    "ELEMENTWISE",
    "Builder",
    "Draw",
    "Graph",
    "Linearised",
    "Node",
    "Value",
    "arcsine",
    "chunks",
    "cos",
    "ctrap",
    "evaluate",
    "exp",
    "expm1",
    "linearise",
    "log",
    "maximum",
    "minimum",
    "normal",
    "rounding_bound",
    "sin",
    "sqrt",
    "student_t",
    "tanh",
    "trace",
    "uniform",
]

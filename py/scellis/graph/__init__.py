"""The op set, tracing, and what is known of a program before it runs."""

from scellis.graph.draws import DRAWS
from scellis.graph.elementwise import ELEMENTWISE
from scellis.graph.evaluate import chunks, compute, evaluate
from scellis.graph.functions import cos, exp, expm1, log, maximum, minimum, sin, sqrt, tanh
from scellis.graph.graph import Graph, Node
from scellis.graph.inputs import arcsine, ctrap, normal, student_t, uniform
from scellis.graph.linearise import Linearised, linearise
from scellis.graph.ops import OPS
from scellis.graph.program import check_program
from scellis.graph.rounding import rounding_bound
from scellis.graph.trace import Builder, Draw, Value, trace
from scellis.graph.types import ArrayType

__all__ = [
    "DRAWS",
    "ELEMENTWISE",
    "OPS",
    "ArrayType",
    "Builder",
    "Draw",
    "Graph",
    "Linearised",
    "Node",
    "Value",
    "arcsine",
    "check_program",
    "chunks",
    "compute",
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

"""The sum of several arrays, as of a layer and what goes past it.

Source: K. He et al., "Deep residual learning for image recognition", 2015, arXiv:1512.03385.
"""

from scellis.catalog.language import refuse

KIND = "layer"


def layer(x, scope, fields):
    first, *rest = x
    for other in rest:
        if other.shape != first.shape:
            refuse("arrays of one shape are added.")
        first = first + other
    return first

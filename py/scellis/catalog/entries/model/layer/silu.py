"""x · sigmoid x, also called Swish.

Source: S. Elfwing, E. Uchibe, K. Doya, "Sigmoid-weighted linear units", 2018, arXiv:1702.03118.
"""

from scellis.catalog.language import nn

KIND = "layer"


def layer(x, scope, fields):
    return nn.silu(x)

"""Unit mean square along the last axis, then a weight for each place.

Source: B. Zhang, R. Sennrich, "Root mean square layer normalization", 2019, arXiv:1910.07467.
"""

from scellis.catalog.language import nn, number

KIND = "layer"
FIELDS = {"eps": number(1e-6, above=0, about="Added to the mean square.")}


def layer(x, scope, fields):
    return nn.rms_norm(x, scope.parameter("weight", x.shape[-1:], "model/initializer/ones"), eps=fields.eps)

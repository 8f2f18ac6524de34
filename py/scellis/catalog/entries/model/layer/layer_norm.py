"""Zero mean and unit variance along the last axis, then a weight and a bias for each place.

Source: J. L. Ba, J. R. Kiros, G. E. Hinton, "Layer normalization", 2016, arXiv:1607.06450.
"""

from scellis.catalog.language import boolean, nn, number

KIND = "layer"
FIELDS = {
    "eps": number(1e-5, above=0, about="Added to the variance."),
    "bias": boolean(True, about="Whether there is a bias."),
}


def layer(x, scope, fields):
    shape = x.shape[-1:]
    weight = scope.parameter("weight", shape, "model/initializer/ones")
    bias = scope.parameter("bias", shape, "model/initializer/zeros") if fields.bias else None
    return nn.layer_norm(x, weight, bias, eps=fields.eps)

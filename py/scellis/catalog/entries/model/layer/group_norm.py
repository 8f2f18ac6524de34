"""Zero mean and unit variance of each group of channels of an example: (batch, channels, …).

Source: Y. Wu, K. He, "Group normalization", 2018, arXiv:1803.08494.
"""

from scellis.catalog.language import integer, nn, number

KIND = "layer"
FIELDS = {
    "num_groups": integer(8, least=1, about="Groups, of which channels are a multiple."),
    "eps": number(1e-5, above=0, about="Added to the variance."),
}


def layer(x, scope, fields):
    shape = x.shape[1:2]
    weight = scope.parameter("weight", shape, "model/initializer/ones")
    bias = scope.parameter("bias", shape, "model/initializer/zeros")
    return nn.group_norm(x, fields.num_groups, weight, bias, eps=fields.eps)

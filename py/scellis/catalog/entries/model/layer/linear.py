"""A product with a matrix of weights, and a bias: (…, in) → (…, out_features).

`weight` is (out_features, in); both begin as PyTorch's do unless an initializer is named.
"""

from scellis.catalog.language import boolean, integer, text

KIND = "layer"
FIELDS = {
    "out_features": integer(least=1, about="Numbers that come out."),
    "bias": boolean(True, about="Whether a number is added to each."),
    "initializer": text("model/initializer/kaiming_uniform", about="What the weights begin with."),
    "bias_initializer": text("model/initializer/kaiming_uniform", about="What the bias begins with."),
}


def layer(x, scope, fields):
    into = x.shape[-1]
    weight = scope.parameter("weight", (fields.out_features, into), fields.initializer)
    found = x @ weight.T
    if not fields.bias:
        return found
    fans = (into, fields.out_features)
    return found + scope.parameter("bias", (fields.out_features,), fields.bias_initializer, fans)

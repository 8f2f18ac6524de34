"""Two linear layers with an activation between them, for each place on its own: (…, features).

`gated`: the activation of one product is multiplied by another one, `gate`, as in SwiGLU.

Source: A. Vaswani et al., "Attention is all you need", 2017, arXiv:1706.03762, 3.3; N. Shazeer, "GLU variants
improve transformer", 2020, arXiv:2002.05202.
"""

from scellis.catalog.language import boolean, choice, integer

KIND = "layer"
FIELDS = {
    "hidden_features": integer(0, least=0, about="Numbers between the two; 0: four times the features."),
    "activation": choice(("gelu", "relu", "silu", "tanh"), "gelu", about="The activation."),
    "gated": boolean(False, about="Whether the activation is multiplied by a product of its own."),
    "bias": boolean(True, about="Whether the linear layers have a bias."),
}


def layer(x, scope, fields):
    hidden = fields.hidden_features or 4 * x.shape[-1]
    found = linear("linear1", x, scope, hidden, fields)
    found = scope.layer("activation", ACTIVATIONS[fields.activation], found)
    if fields.gated:
        found = found * linear("gate", x, scope, hidden, fields)
    return linear("linear2", found, scope, x.shape[-1], fields)


ACTIVATIONS = {
    "gelu": "model/layer/gelu",
    "relu": "model/layer/relu",
    "silu": "model/layer/silu",
    "tanh": "model/layer/tanh",
}


def linear(name, x, scope, count, fields):
    return scope.layer(name, "model/layer/linear", x, out_features=count, bias=fields.bias)

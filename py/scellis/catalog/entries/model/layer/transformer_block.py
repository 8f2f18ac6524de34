"""One block of a transformer: attention, then a feed-forward layer, each after a norm and added to its input.

(batch, length, features) → the same shape.

Source: A. Vaswani et al., "Attention is all you need", 2017, arXiv:1706.03762; the norm before: R. Xiong et
al., "On layer normalization in the transformer architecture", 2020, arXiv:2002.04745.
"""

from scellis.catalog.language import boolean, choice, integer, number

KIND = "layer"
FIELDS = {
    "num_heads": integer(8, least=1, about="Heads of attention, of which features are a multiple."),
    "num_kv_heads": integer(
        0, least=0, about="Heads of keys and values; 0: as many as there are of queries."
    ),
    "hidden_features": integer(0, least=0, about="Numbers within the feed-forward layer; 0: 4 × features."),
    "activation": choice(("gelu", "relu", "silu", "tanh"), "gelu", about="Activation within it."),
    "gated": boolean(False, about="Whether the activation is multiplied by a product of its own."),
    "norm": choice(("layer_norm", "rms_norm"), "layer_norm", about="The norm."),
    "causal": boolean(False, about="Whether a place takes from itself and those before it alone."),
    "rotary": boolean(False, about="Whether attention is told of places by angles."),
    "bias": boolean(True, about="Whether products have a bias."),
    "dropout": number(0.1, least=0, below=1, about="Share of what is added that is left out in training."),
}
NORMS = {"layer_norm": "model/layer/layer_norm", "rms_norm": "model/layer/rms_norm"}


def layer(x, scope, fields):
    found = scope.layer(
        "self_attn",
        "model/layer/attention",
        scope.layer("norm1", NORMS[fields.norm], x),
        num_heads=fields.num_heads,
        num_kv_heads=fields.num_kv_heads,
        causal=fields.causal,
        rotary=fields.rotary,
        bias=fields.bias,
    )
    x = x + scope.layer("dropout1", "model/layer/dropout", found, rate=fields.dropout)
    found = scope.layer(
        "feed_forward",
        "model/layer/feed_forward",
        scope.layer("norm2", NORMS[fields.norm], x),
        hidden_features=fields.hidden_features,
        activation=fields.activation,
        gated=fields.gated,
        bias=fields.bias,
    )
    return x + scope.layer("dropout2", "model/layer/dropout", found, rate=fields.dropout)

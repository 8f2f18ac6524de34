"""Multi-head self-attention: each place takes from all, as far as they fit what it asks for.

(batch, length, features) → the same shape. `in_proj_weight` has the rows of queries, keys, values, one head
after the other. With fewer heads of keys than of queries several of these share one.

Source: A. Vaswani et al., "Attention is all you need", 2017, arXiv:1706.03762; J. Ainslie et al., "GQA",
2023, arXiv:2305.13245; J. Su et al., "RoFormer", 2021, arXiv:2104.09864 (rotary).
"""

from scellis.catalog.language import boolean, integer, nn, number, refuse, xp

KIND = "layer"
FIELDS = {
    "num_heads": integer(8, least=1, about="Heads, of which features are a multiple."),
    "num_kv_heads": integer(
        0, least=0, about="Heads of keys and values; 0: as many as there are of queries."
    ),
    "causal": boolean(False, about="Whether a place takes from itself and those before it alone."),
    "rotary": boolean(False, about="Whether queries and keys are turned by angles that grow with the place."),
    "rotary_base": number(
        10000.0, above=1, about="What the angles fall by from the first feature to the last."
    ),
    "bias": boolean(True, about="Whether the products have a bias."),
}


def layer(x, scope, fields):
    if x.ndim != 3 or x.shape[-1] % fields.num_heads:
        refuse("(batch, length, features), features a multiple of num_heads, is expected.")
    features, heads = x.shape[-1], fields.num_heads
    groups = fields.num_kv_heads or heads
    if heads % groups:
        refuse("num_heads is a multiple of num_kv_heads.")
    width = features // heads
    rows = (heads + 2 * groups) * width
    weight = scope.parameter("in_proj_weight", (rows, features), "model/initializer/xavier_uniform")
    found = x @ weight.T
    if fields.bias:
        found = found + scope.parameter("in_proj_bias", (rows,), "model/initializer/zeros")
    query = by_head(found[..., : heads * width], heads)
    key = by_head(found[..., heads * width : (heads + groups) * width], groups)
    value = by_head(found[..., (heads + groups) * width :], groups)
    if fields.rotary:
        query = nn.rotary_embedding(query, base=fields.rotary_base)
        key = nn.rotary_embedding(key, base=fields.rotary_base)
    taken = nn.scaled_dot_product_attention(query, key, value, is_causal=fields.causal)
    return scope.layer(
        "out_proj",
        "model/layer/linear",
        xp.reshape(xp.permute_dims(taken, (0, 2, 1, 3)), x.shape),
        out_features=features,
        bias=fields.bias,
        bias_initializer="model/initializer/zeros",
    )


def by_head(x, heads):
    """(batch, length, heads · width) as (batch, heads, length, width)."""
    batch, length, features = x.shape
    return xp.permute_dims(xp.reshape(x, (batch, length, heads, features // heads)), (0, 2, 1, 3))

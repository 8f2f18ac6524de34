"""Rows of a table by their numbers: integers (…) → (…, embedding_dim).

Source: Y. Bengio et al., "A neural probabilistic language model", 2003, JMLR 3.
"""

from scellis.catalog.language import integer, nn, number

KIND = "layer"
FIELDS = {
    "num_embeddings": integer(least=1, about="Rows of the table: how many words there are."),
    "embedding_dim": integer(least=1, about="Numbers of a row."),
    "std": number(1.0, above=0, about="Standard deviation of what the table begins with."),
}


def numbers(fields):
    return fields.num_embeddings


def layer(x, scope, fields):
    shape = (fields.num_embeddings, fields.embedding_dim)
    return nn.embedding(x, scope.parameter("weight", shape, "model/initializer/normal", std=fields.std))

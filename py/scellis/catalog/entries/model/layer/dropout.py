"""Numbers left out by chance while the model is trained; the others are divided by their share.

Source: N. Srivastava et al., "Dropout: a simple way to prevent neural networks from overfitting", 2014,
JMLR 15.
"""

from scellis.catalog.language import number, xp

KIND = "layer"
FIELDS = {"rate": number(0.1, least=0, below=1, about="Share that is left out.")}


def layer(x, scope, fields):
    if not scope.training or fields.rate == 0:
        return x
    kept = scope.random.bernoulli(1 - fields.rate, x.shape)
    return xp.where(kept, x * (1 / (1 - fields.rate)), 0.0)

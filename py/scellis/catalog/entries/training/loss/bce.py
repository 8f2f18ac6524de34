"""Binary cross-entropy of logits: log(1 + exp x) − t x, for a target t from 0 to 1.

Source: the negative log-likelihood of logistic regression: D. R. Cox, "The regression analysis of binary
sequences", 1958.
"""

from scellis.catalog.language import paired, xp

KIND = "loss"


def loss(prediction, target, fields):
    x, t = paired(prediction, target)
    # Either side of 0 by where, not by abs, whose derivative at 0 would be lost.
    positive = x >= 0
    softplus = xp.where(positive, x, 0.0) + xp.log1p(xp.exp(xp.where(positive, -x, x)))
    return softplus - t * x

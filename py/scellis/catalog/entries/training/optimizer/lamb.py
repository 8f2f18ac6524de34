"""LAMB: Adam's direction, as long as the parameter is, for large batches.

Source: Y. You et al., "Large batch optimization for deep learning: training BERT in 76 minutes", 2020,
arXiv:1904.00962, algorithm 2, with φ(z) = z; where either length is 0 the step is Adam's.
"""

from scellis.catalog.language import math, number, xp

KIND = "optimizer"
FIELDS = {
    "lr": number(1e-3, above=0, about="Learning rate: the share of its length that a parameter moves by."),
    "beta1": number(0.9, least=0, below=1, about="Decay of the mean of gradients."),
    "beta2": number(0.999, least=0, below=1, about="Decay of the mean of their squares."),
    "eps": number(1e-6, above=0, about="Added to the root of the mean square."),
    "weight_decay": number(0.01, least=0, about="Share of a parameter that is added to its direction."),
}


def state(parameter, fields):
    return {"m": xp.zeros_like(parameter), "v": xp.zeros_like(parameter)}


def update(parameter, gradient, state, step, lr, fields):
    m = fields.beta1 * state["m"] + (1 - fields.beta1) * gradient
    v = fields.beta2 * state["v"] + (1 - fields.beta2) * gradient * gradient
    mean = m / unbiased(fields.beta1, step)
    scale = xp.sqrt(v / unbiased(fields.beta2, step)) + fields.eps
    direction = mean / scale + fields.weight_decay * parameter
    own, new = length(parameter), length(direction)
    known = (own > 0) & (new > 0)
    trust = xp.where(known, own / xp.where(known, new, 1.0), 1.0)
    return parameter - (lr * trust) * direction, {"m": m, "v": v}


def length(x):
    return xp.sqrt(xp.sum(x * x))


def unbiased(beta, step):
    """1 − βᵗ, without the loss of digits where β is near 1."""
    return -xp.expm1(step * math.log(beta)) if beta > 0 else xp.ones_like(step)

"""Adam: steps scaled by running means of gradients and of their squares.

Source: D. P. Kingma, J. Ba, "Adam: a method for stochastic optimization", 2015, arXiv:1412.6980.
"""

from scellis.catalog.language import math, number, xp

KIND = "optimizer"
FIELDS = {
    "lr": number(1e-3, above=0, about="Learning rate."),
    "beta1": number(0.9, least=0, below=1, about="Decay of the mean of gradients."),
    "beta2": number(0.999, least=0, below=1, about="Decay of the mean of their squares."),
    "eps": number(1e-8, above=0, about="Added to the root of the mean square."),
    "weight_decay": number(0.0, least=0, about="Share of a parameter that is added to its gradient."),
}


def state(parameter, fields):
    return {"m": xp.zeros_like(parameter), "v": xp.zeros_like(parameter)}


def update(parameter, gradient, state, step, lr, fields):
    if fields.weight_decay > 0:
        gradient = gradient + fields.weight_decay * parameter
    m = fields.beta1 * state["m"] + (1 - fields.beta1) * gradient
    v = fields.beta2 * state["v"] + (1 - fields.beta2) * gradient * gradient
    mean = m / unbiased(fields.beta1, step)
    scale = xp.sqrt(v / unbiased(fields.beta2, step)) + fields.eps
    return parameter - lr * (mean / scale), {"m": m, "v": v}


def unbiased(beta, step):
    """1 − βᵗ, without the loss of digits where β is near 1."""
    return -xp.expm1(step * math.log(beta)) if beta > 0 else xp.ones_like(step)

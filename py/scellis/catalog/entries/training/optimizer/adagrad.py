"""Adagrad: gradients over the root of the sum of all their squares.

Source: J. Duchi, E. Hazan, Y. Singer, "Adaptive subgradient methods for online learning and stochastic
optimization", 2011, JMLR 12.
"""

from scellis.catalog.language import number, xp

KIND = "optimizer"
FIELDS = {
    "lr": number(1e-2, above=0, about="Learning rate."),
    "lr_decay": number(0.0, least=0, about="How fast the rate falls: over 1 + this times the steps done."),
    "initial_accumulator_value": number(0.0, least=0, about="What the sum of squares begins with."),
    "eps": number(1e-10, above=0, about="Added to the root of the sum of squares."),
    "weight_decay": number(0.0, least=0, about="Share of a parameter that is added to its gradient."),
}


def state(parameter, fields):
    return {"sum": xp.full_like(parameter, fields.initial_accumulator_value)}


def update(parameter, gradient, state, step, lr, fields):
    if fields.weight_decay > 0:
        gradient = gradient + fields.weight_decay * parameter
    total = state["sum"] + gradient * gradient
    rate = lr / (1 + (step - 1) * fields.lr_decay)
    return parameter - rate * (gradient / (xp.sqrt(total) + fields.eps)), {"sum": total}

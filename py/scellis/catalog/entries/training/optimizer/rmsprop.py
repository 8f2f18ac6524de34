"""RMSprop: gradients over the root of a running mean of their squares.

The variance of gradients, which `centered` divides by, is kept as it is, not as the difference of two means
that are nearly alike.

Source: T. Tieleman, G. Hinton, "Neural networks for machine learning", lecture 6.5, 2012; centered:
A. Graves, "Generating sequences with recurrent neural networks", 2013, arXiv:1308.0850;
momentum as PyTorch's.
"""

from scellis.catalog.language import boolean, number, xp

KIND = "optimizer"
FIELDS = {
    "lr": number(1e-2, above=0, about="Learning rate."),
    "alpha": number(0.99, least=0, below=1, about="Decay of the mean of squares."),
    "eps": number(1e-8, above=0, about="Added to the root of the mean square."),
    "momentum": number(0.0, least=0, below=1, about="Share of the last step that the next one goes on with."),
    "centered": boolean(False, about="Whether squares are those of the distance from the mean gradient."),
    "weight_decay": number(0.0, least=0, about="Share of a parameter that is added to its gradient."),
}


def state(parameter, fields):
    kept = {"v": xp.zeros_like(parameter)}
    if fields.centered:
        kept["m"] = xp.zeros_like(parameter)
    if fields.momentum > 0:
        kept["momentum"] = xp.zeros_like(parameter)
    return kept


def update(parameter, gradient, state, step, lr, fields):
    if fields.weight_decay > 0:
        gradient = gradient + fields.weight_decay * parameter
    kept, new = {**state}, 1 - fields.alpha
    if fields.centered:
        apart = gradient - state["m"]
        kept["m"] = state["m"] + new * apart
        kept["v"] = fields.alpha * (state["v"] + new * apart * apart)
    else:
        kept["v"] = fields.alpha * state["v"] + new * gradient * gradient
    direction = gradient / (xp.sqrt(kept["v"]) + fields.eps)
    if fields.momentum > 0:
        direction = fields.momentum * state["momentum"] + direction
        kept["momentum"] = direction
    return parameter - lr * direction, kept

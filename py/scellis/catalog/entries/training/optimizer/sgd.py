"""Stochastic gradient descent, with momentum if wanted.

Source: H. Robbins, S. Monro, "A stochastic approximation method", 1951, doi:10.1214/aoms/1177729586;
I. Sutskever et al., "On the importance of initialization and momentum in deep learning", 2013; momentum as
PyTorch counts it: the rate multiplies it when it is used.
"""

from scellis.catalog.language import boolean, number, refuse, xp

KIND = "optimizer"
FIELDS = {
    "lr": number(1e-2, above=0, about="Learning rate."),
    "momentum": number(0.0, least=0, below=1, about="Share of the last step that the next one goes on with."),
    "dampening": number(0.0, least=0, below=1, about="Share of a gradient that does not enter the momentum."),
    "nesterov": boolean(False, about="Whether a step looks ahead along the momentum."),
    "weight_decay": number(0.0, least=0, about="Share of a parameter that is added to its gradient."),
}


def state(parameter, fields):
    if fields.nesterov and (fields.momentum == 0 or fields.dampening > 0):
        refuse("nesterov takes a momentum above 0, and no dampening.")
    return {"momentum": xp.zeros_like(parameter)} if fields.momentum > 0 else {}


def update(parameter, gradient, state, step, lr, fields):
    if fields.weight_decay > 0:
        gradient = gradient + fields.weight_decay * parameter
    if fields.momentum == 0:
        return parameter - lr * gradient, state
    entering = xp.where(step > 1, 1 - fields.dampening, xp.ones_like(step))  # the first gradient whole
    momentum = fields.momentum * state["momentum"] + entering * gradient
    direction = gradient + fields.momentum * momentum if fields.nesterov else momentum
    return parameter - lr * direction, {"momentum": momentum}

"""Lion: steps of one size, by the sign of a mean of gradients.

Takes a rate 3 to 10 times smaller than AdamW's, and a weight decay as many times larger.

Source: X. Chen et al., "Symbolic discovery of optimization algorithms", 2023, arXiv:2302.06675.
"""

from scellis.catalog.language import number, xp

KIND = "optimizer"
FIELDS = {
    "lr": number(1e-4, above=0, about="Learning rate."),
    "beta1": number(
        0.9, least=0, below=1, about="Share of the mean of gradients in the direction of a step."
    ),
    "beta2": number(0.99, least=0, below=1, about="Decay of the mean of gradients."),
    "weight_decay": number(
        0.0, least=0, about="Share of a parameter, times the learning rate, that a step takes away."
    ),
}


def state(parameter, fields):
    return {"m": xp.zeros_like(parameter)}


def update(parameter, gradient, state, step, lr, fields):
    direction = xp.sign(fields.beta1 * state["m"] + (1 - fields.beta1) * gradient)
    m = fields.beta2 * state["m"] + (1 - fields.beta2) * gradient
    return parameter - lr * (direction + fields.weight_decay * parameter), {"m": m}

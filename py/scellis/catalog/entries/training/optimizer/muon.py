"""Muon: the momentum of a matrix made orthogonal; AdamW for what is no matrix.

Meant for the matrices within a network. Windows of a convolution count as one row for each output. With
`match_rms_adamw` one rate suits both parts.

Source: K. Jordan et al., "Muon: an optimizer for hidden layers in neural networks", 2024,
https://kellerjordan.github.io/posts/muon; J. Liu et al., "Muon is scalable for LLM training", 2025,
arXiv:2502.16982 (match_rms_adamw); I. Loshchilov, F. Hutter, 2019, arXiv:1711.05101 (AdamW).
"""

from scellis.catalog.language import boolean, choice, integer, math, number, xp

KIND = "optimizer"
FIELDS = {
    "lr": number(1e-3, above=0, about="Learning rate."),
    "momentum": number(0.95, least=0, below=1, about="Decay of the mean of a matrix's gradients."),
    "nesterov": boolean(True, about="Whether a step looks ahead along the momentum."),
    "ns_steps": integer(5, least=1, most=20, about="Turns of the iteration that makes a matrix orthogonal."),
    "adjust_lr_fn": choice(
        ("match_rms_adamw", "original"),
        "match_rms_adamw",
        about="Size of a matrix's steps: AdamW's, 0.2 √(longer side), or √(rows / columns), 1 at least.",
    ),
    "beta1": number(0.9, least=0, below=1, about="AdamW: decay of the mean of gradients."),
    "beta2": number(0.999, least=0, below=1, about="AdamW: decay of the mean of their squares."),
    "eps": number(1e-8, above=0, about="AdamW: added to the root of the mean square."),
    "weight_decay": number(
        0.1, least=0, about="Share of a parameter, times the learning rate, that a step takes away."
    ),
}
LEAST = 1e-7


def state(parameter, fields):
    if parameter.ndim < 2:
        return {"m": xp.zeros_like(parameter), "v": xp.zeros_like(parameter)}
    return {"m": xp.zeros_like(parameter)}


def update(parameter, gradient, state, step, lr, fields):
    if parameter.ndim < 2:
        direction, kept = adam(gradient, state, step, fields)
    else:
        m = state["m"] + (1 - fields.momentum) * (gradient - state["m"])
        ahead = gradient + fields.momentum * (m - gradient) if fields.nesterov else m
        matrix = xp.reshape(ahead, (parameter.shape[0], -1))
        rows, columns = matrix.shape
        if fields.adjust_lr_fn == "original":
            size = math.sqrt(max(1, rows / columns))
        else:
            size = 0.2 * math.sqrt(max(rows, columns))
        direction = size * xp.reshape(orthogonal(matrix, fields.ns_steps), parameter.shape)
        kept = {"m": m}
    return parameter - lr * (direction + fields.weight_decay * parameter), kept


def orthogonal(x, turns):
    """A matrix of nearly the same singular vectors whose singular values are about 1, by Newton–Schulz."""
    tall = x.shape[0] > x.shape[1]
    x = x.T if tall else x
    x = x / xp.maximum(xp.sqrt(xp.sum(x * x)), LEAST)
    for turn in range(turns):
        gram = x @ x.T
        x = 3.4445 * x + (-4.775 * gram + 2.0315 * (gram @ gram)) @ x
    return x.T if tall else x


def adam(gradient, state, step, fields):
    m = fields.beta1 * state["m"] + (1 - fields.beta1) * gradient
    v = fields.beta2 * state["v"] + (1 - fields.beta2) * gradient * gradient
    mean = m / unbiased(fields.beta1, step)
    return mean / (xp.sqrt(v / unbiased(fields.beta2, step)) + fields.eps), {"m": m, "v": v}


def unbiased(beta, step):
    """1 − βᵗ, without the loss of digits where β is near 1."""
    return -xp.expm1(step * math.log(beta)) if beta > 0 else xp.ones_like(step)

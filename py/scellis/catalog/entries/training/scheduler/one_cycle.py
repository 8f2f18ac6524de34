"""One cycle: up to the rate and, by cosine waves, down to far below where it began.

Source: L. N. Smith, N. Topin, "Super-convergence: very fast training of neural networks using large learning
rates", 2018, arXiv:1708.07120; the two phases of PyTorch's OneCycleLR, without its cycle of momentum.
"""

from scellis.catalog.language import math, number

KIND = "scheduler"
FIELDS = {
    "pct_start": number(0.3, above=0, below=1, about="Share of all steps in which the rate rises."),
    "div_factor": number(25.0, least=1, about="How many times less than the rate the first step has."),
    "final_div_factor": number(
        1e4, least=1, about="How many times less than the first step the last one has."
    ),
}


def rate(step, total, lr, state, fields):
    first = lr / fields.div_factor
    top = fields.pct_start * total - 1
    if step <= top:
        return between(first, lr, step / top if top > 0 else 1)
    return between(lr, first / fields.final_div_factor, min((step - top) / (total - 1 - top), 1))


def between(a, b, share):
    return b + (a - b) * (1 + math.cos(math.pi * share)) / 2

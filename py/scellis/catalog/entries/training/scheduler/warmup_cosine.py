"""A straight rise to the rate, then half a cosine wave down to the least one.

Of w steps of warm-up the first has 1 / (w + 1) of the rate, and the step after them all of it.

Source: I. Loshchilov, F. Hutter, "SGDR", 2017, arXiv:1608.03983, equation 5; warm-up: P. Goyal et al.,
"Accurate, large minibatch SGD: training ImageNet in 1 hour", 2017, arXiv:1706.02677.
"""

from scellis.catalog.language import integer, math, number

KIND = "scheduler"
FIELDS = {
    "warmup_steps": integer(100, least=0, about="Steps of the rise.", unit="steps"),
    "min_lr": number(0.0, least=0, about="The rate at the end."),
}


def rate(step, total, lr, state, fields):
    if step < fields.warmup_steps:
        return lr * (step + 1) / (fields.warmup_steps + 1)
    share = (step - fields.warmup_steps) / max(total - fields.warmup_steps, 1)
    return fields.min_lr + (lr - fields.min_lr) * (1 + math.cos(math.pi * share)) / 2

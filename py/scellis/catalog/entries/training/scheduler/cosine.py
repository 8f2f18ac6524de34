"""Half a cosine wave from the rate down to the least one.

Source: I. Loshchilov, F. Hutter, "SGDR: stochastic gradient descent with warm restarts", 2017,
arXiv:1608.03983, equation 5, without restarts.
"""

from scellis.catalog.language import math, number

KIND = "scheduler"
FIELDS = {"min_lr": number(0.0, least=0, about="The rate at the end.")}


def rate(step, total, lr, state, fields):
    return fields.min_lr + (lr - fields.min_lr) * (1 + math.cos(math.pi * step / total)) / 2

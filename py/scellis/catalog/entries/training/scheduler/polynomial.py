"""A rate that falls to the least one by a power of the steps that are left; of power 1 straight.

Source: PyTorch, torch.optim.lr_scheduler.PolynomialLR.
"""

from scellis.catalog.language import number

KIND = "scheduler"
FIELDS = {
    "power": number(1.0, above=0, about="Power of the share of steps that are left."),
    "min_lr": number(0.0, least=0, about="The rate at the end."),
}


def rate(step, total, lr, state, fields):
    return fields.min_lr + (lr - fields.min_lr) * max(1 - step / total, 0) ** fields.power

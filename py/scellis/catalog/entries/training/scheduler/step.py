"""A rate that falls by a factor each so many steps.

Source: PyTorch, torch.optim.lr_scheduler.StepLR.
"""

from scellis.catalog.language import integer, number

KIND = "scheduler"
FIELDS = {
    "step_size": integer(1000, least=1, about="Steps between one fall and the next.", unit="steps"),
    "gamma": number(0.1, above=0, most=1, about="What the rate is multiplied by each time."),
}


def rate(step, total, lr, state, fields):
    return lr * fields.gamma ** (step // fields.step_size)

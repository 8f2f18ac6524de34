"""One rate throughout."""

KIND = "scheduler"


def rate(step, total, lr, state, fields):
    return lr

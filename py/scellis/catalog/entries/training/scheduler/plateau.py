"""A rate that falls when what validation finds no longer gets better.

Source: PyTorch, torch.optim.lr_scheduler.ReduceLROnPlateau, threshold_mode="rel".
"""

from scellis.catalog.language import choice, integer, number

KIND = "scheduler"
FIELDS = {
    "mode": choice(("min", "max"), "min", about="Whether less is better, as of a loss, or more."),
    "factor": number(0.1, above=0, below=1, about="What the rate is multiplied by each time."),
    "patience": integer(
        10, least=0, about="Validations in a row without a better value that are put up with."
    ),
    "threshold": number(
        1e-4, least=0, below=1, about="Share of the best value by which a better one differs."
    ),
    "cooldown": integer(0, least=0, about="Validations after a fall that are not counted."),
    "min_lr": number(0.0, least=0, about="The least rate."),
}


def start(fields):
    return {"share": 1.0, "best": None, "bad": 0, "cooling": 0}


def watch(value, state, fields):
    better = value == value and (state["best"] is None or is_better(value, state["best"], fields))
    bad = 0 if better or state["cooling"] > 0 else state["bad"] + 1
    falls = bad > fields.patience
    return {
        "share": state["share"] * fields.factor if falls else state["share"],
        "best": value if better else state["best"],
        "bad": 0 if falls else bad,
        "cooling": fields.cooldown if falls else max(state["cooling"] - 1, 0),
    }


def is_better(value, best, fields):
    if fields.mode == "min":
        return value < best * (1 - fields.threshold)
    return value > best * (1 + fields.threshold)


def rate(step, total, lr, state, fields):
    return max(lr * state["share"], fields.min_lr)

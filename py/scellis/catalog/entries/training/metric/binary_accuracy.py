"""Share of examples whose logit is above 0 where the target is 1, and not where it is 0."""

from scellis.catalog.language import paired, xp

KIND = "metric"


def measure(prediction, target, fields):
    prediction, target = paired(prediction, target)
    return ((prediction > 0) == (target > 0.5)).astype(xp.float32)

"""Root of the mean square error."""

from scellis.catalog.language import math, paired, xp

KIND = "metric"


def measure(prediction, target, fields):
    prediction, target = paired(prediction, target)
    return xp.square(prediction - target)


def finish(mean, fields):
    return math.sqrt(mean)

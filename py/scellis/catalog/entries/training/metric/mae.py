"""Mean absolute error."""

from scellis.catalog.language import paired

KIND = "metric"


def measure(prediction, target, fields):
    prediction, target = paired(prediction, target)
    return abs(prediction - target)

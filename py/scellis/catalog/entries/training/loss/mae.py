"""Absolute error."""

from scellis.catalog.language import paired

KIND = "loss"


def loss(prediction, target, fields):
    prediction, target = paired(prediction, target)
    return abs(prediction - target)

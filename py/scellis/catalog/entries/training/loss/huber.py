"""Huber's loss: half the square of a small error, straight beyond.

Source: P. J. Huber, "Robust estimation of a location parameter", 1964, doi:10.1214/aoms/1177703732.
"""

from scellis.catalog.language import number, paired, xp

KIND = "loss"
FIELDS = {"delta": number(1.0, above=0, about="The error from which on the loss is straight.")}


def loss(prediction, target, fields):
    prediction, target = paired(prediction, target)
    error = abs(prediction - target)
    near = xp.minimum(error, fields.delta)
    return near * (error - near / 2)

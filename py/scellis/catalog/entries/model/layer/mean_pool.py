"""The mean along axes, as over all places of a sequence or all pixels of each channel."""

from scellis.catalog.language import integers, xp

KIND = "layer"
FIELDS = {"axes": integers((1,), about="The axes: 1 of (batch, length, features), 2 and 3 of images.")}


def layer(x, scope, fields):
    return xp.mean(x, axis=fields.axes)

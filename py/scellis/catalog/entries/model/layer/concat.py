"""Several arrays one after the other along an axis."""

from scellis.catalog.language import integer, xp

KIND = "layer"
FIELDS = {"axis": integer(1, about="The axis: 1 is that of channels, −1 the last.")}


def layer(x, scope, fields):
    return xp.concat(x, axis=fields.axis)

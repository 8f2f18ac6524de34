"""The numbers of an example in another shape: (batch, …) → (batch, *shape)."""

from scellis.catalog.language import integers, xp

KIND = "layer"
FIELDS = {
    "shape": integers(least=-1, about="Lengths of the axes but for the batch; one may be −1: what is left.")
}


def layer(x, scope, fields):
    return xp.reshape(x, (x.shape[0], *fields.shape))

"""exp x / Σ exp x along an axis.

The loss cross_entropy takes logits: no softmax goes before it.
"""

from scellis.catalog.language import integer, xp

KIND = "layer"
FIELDS = {"axis": integer(-1, about="The axis; −1 is the last.")}


def layer(x, scope, fields):
    return xp.softmax(x, axis=fields.axis)

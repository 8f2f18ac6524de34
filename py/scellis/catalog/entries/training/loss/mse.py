"""Square error.

Source: A.-M. Legendre, "Nouvelles méthodes pour la détermination des orbites des comètes", 1805.
"""

from scellis.catalog.language import paired, xp

KIND = "loss"


def loss(prediction, target, fields):
    prediction, target = paired(prediction, target)
    return xp.square(prediction - target)

"""max(x, 0).

Source: V. Nair, G. E. Hinton, "Rectified linear units improve restricted Boltzmann machines", 2010.
"""

from scellis.catalog.language import xp

KIND = "layer"


def layer(x, scope, fields):
    return xp.relu(x)

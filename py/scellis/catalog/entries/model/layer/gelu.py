"""x Φ(x), Φ being the normal distribution.

Source: D. Hendrycks, K. Gimpel, "Gaussian error linear units", 2016, arXiv:1606.08415.
"""

from scellis.catalog.language import choice, xp

KIND = "layer"
FIELDS = {"approximate": choice(("none", "tanh"), "none", about="Exactly, or by tanh as GPT-2 does.")}


def layer(x, scope, fields):
    return xp.gelu(x, approximate=fields.approximate)

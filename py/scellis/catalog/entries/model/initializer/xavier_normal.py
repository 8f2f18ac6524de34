"""Normal, of a variance 2 / (inputs + outputs).

Source: X. Glorot, Y. Bengio, "Understanding the difficulty of training deep feedforward neural networks",
2010, PMLR 9.
"""

from scellis.catalog.language import math, number

KIND = "initializer"
FIELDS = {"gain": number(1.0, above=0, about="Factor of the standard deviation.")}


def values(shape, fans, random, fields):
    inputs, outputs = fans
    return random.normal(shape, 0.0, fields.gain * math.sqrt(2 / (inputs + outputs)))

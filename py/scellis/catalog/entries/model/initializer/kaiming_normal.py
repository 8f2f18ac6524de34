"""Normal, of a variance 2 / (1 + a²) / inputs.

Source: K. He et al., "Delving deep into rectifiers", 2015, arXiv:1502.01852.
"""

from scellis.catalog.language import choice, math, number

KIND = "initializer"
FIELDS = {
    "a": number(0.0, least=0, about="Slope below 0 of the leaky ReLU that follows; 0 for ReLU."),
    "mode": choice(("fan_in", "fan_out"), "fan_in", about="Whether inputs or outputs are counted."),
}


def values(shape, fans, random, fields):
    inputs, outputs = fans
    count = inputs if fields.mode == "fan_in" else outputs
    return random.normal(shape, 0.0, math.sqrt(2 / ((1 + fields.a**2) * count)))

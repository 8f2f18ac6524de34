"""Normal."""

from scellis.catalog.language import number

KIND = "initializer"
FIELDS = {
    "mean": number(0.0, about="Mean."),
    "std": number(1.0, above=0, about="Standard deviation."),
}


def values(shape, fans, random, fields):
    return random.normal(shape, fields.mean, fields.std)

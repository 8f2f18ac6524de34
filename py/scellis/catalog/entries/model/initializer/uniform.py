"""Uniform between two numbers."""

from scellis.catalog.language import number, refuse

KIND = "initializer"
FIELDS = {
    "low": number(-0.1, about="The least value."),
    "high": number(0.1, about="The greatest value."),
}


def values(shape, fans, random, fields):
    if fields.low >= fields.high:
        refuse("low is less than high.")
    return random.uniform(shape, fields.low, fields.high)

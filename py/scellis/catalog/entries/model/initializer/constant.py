"""One number everywhere."""

from scellis.catalog.language import number, xp

KIND = "initializer"
FIELDS = {"value": number(about="The number.")}


def values(shape, fans, random, fields):
    return xp.full(shape, fields.value)

"""Examples turned round along an axis, each by chance."""

from scellis.catalog.language import integer, number, refuse, xp

KIND = "augmentation"
FIELDS = {
    "axis": integer(-1, about="The axis: of images −1 turns left and right round, −2 up and down."),
    "chance": number(0.5, least=0, most=1, about="Share of examples that are turned."),
}


def augment(x, random, fields):
    if fields.axis % x.ndim == 0:
        refuse("the first axis is that of examples.")
    turned = random.bernoulli(fields.chance, (x.shape[0], *([1] * (x.ndim - 1))))
    return xp.where(turned, xp.flip(x, axis=fields.axis), x)

"""Images moved by whole pixels, each by chance, with zeros where nothing was: (batch, …, height, width).

Source: A. Krizhevsky, I. Sutskever, G. E. Hinton, "ImageNet classification with deep convolutional neural
networks", 2012: a random part of an image with zeros round it.
"""

from scellis.catalog.language import integer, refuse, xp

KIND = "augmentation"
FIELDS = {"most": integer(2, least=1, about="How far up, down, left or right at most.", unit="pixels")}


def augment(x, random, fields):
    if x.ndim < 3:
        refuse("(batch, …, height, width) is expected.")
    return moved(moved(x, -1, random, fields), -2, random, fields)


def moved(x, axis, random, fields):
    """Element i of an axis is i + a number of the example's own."""
    by = random.randint(-fields.most, fields.most + 1, (x.shape[0], *([1] * (x.ndim - 1))))
    length = x.shape[axis]
    places = xp.reshape(xp.arange(length), (length, *([1] * (-1 - axis)))) + by
    inside = (places >= 0) & (places < length)
    return xp.where(inside, xp.take_along_axis(x, places.broadcast_to(x.shape), axis=axis), 0)

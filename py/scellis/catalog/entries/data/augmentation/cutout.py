"""A square of zeros somewhere in each image: (batch, …, height, width).

Its middle is any pixel, so that part of it may lie beyond the edge.

Source: T. DeVries, G. W. Taylor, "Improved regularization of convolutional neural networks with cutout",
2017, arXiv:1708.04552.
"""

from scellis.catalog.language import integer, refuse, xp

KIND = "augmentation"
FIELDS = {"size": integer(4, least=1, about="Side of the square.", unit="pixels")}


def augment(x, random, fields):
    if x.ndim < 3:
        refuse("(batch, …, height, width) is expected.")
    return xp.where(within(x, -2, random, fields) & within(x, -1, random, fields), 0, x)


def within(x, axis, random, fields):
    """Whether a row or column lies in the square."""
    length = x.shape[axis]
    first = random.randint(0, length, (x.shape[0], *([1] * (x.ndim - 1)))) - fields.size // 2
    places = xp.reshape(xp.arange(length), (length, *([1] * (-1 - axis))))
    return (places >= first) & (places < first + fields.size)

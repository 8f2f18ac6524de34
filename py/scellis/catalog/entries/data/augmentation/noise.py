"""Normal noise added to each number."""

from scellis.catalog.language import number

KIND = "augmentation"
FIELDS = {"std": number(0.1, above=0, about="Standard deviation.")}


def augment(x, random, fields):
    return x + random.normal(x.shape, 0.0, fields.std)

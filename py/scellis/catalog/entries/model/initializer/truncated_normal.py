"""Normal, without what lies far from the mean."""

from scellis.catalog.language import number

KIND = "initializer"
FIELDS = {
    "mean": number(0.0, about="Mean."),
    "std": number(1.0, above=0, about="Standard deviation of the normal distribution before it is cut."),
    "bound": number(2.0, above=0, most=12, about="Standard deviations from the mean at most."),
}


def values(shape, fans, random, fields):
    far = fields.bound * fields.std
    return random.truncated_normal(fields.mean, fields.std, fields.mean - far, fields.mean + far, shape)

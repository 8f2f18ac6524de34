"""Share of examples whose right class is among those of the k greatest logits.

Of equal logits the first counts as greater, so that a model that finds all alike is right by chance.
"""

from scellis.catalog.language import integer, refuse, xp

KIND = "metric"
FIELDS = {"k": integer(5, least=1, about="How many classes may be named.")}


def measure(prediction, target, fields):
    if prediction.shape[:-1] != target.shape:
        refuse("logits (…, classes) and the numbers of classes (…) are expected.")
    place = target.astype(xp.int32)[..., None]
    own = xp.take_along_axis(prediction, place, axis=-1)
    classes = xp.arange(prediction.shape[-1])
    ahead = ~(prediction <= own) | ((prediction == own) & (classes < place))
    return (xp.sum(ahead.astype(xp.int32), axis=-1) < fields.k).astype(xp.float32)

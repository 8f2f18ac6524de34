"""Share of examples whose greatest logit is that of the right class."""

from scellis.catalog.language import refuse, xp

KIND = "metric"


def measure(prediction, target, fields):
    if prediction.shape[:-1] != target.shape:
        refuse("logits (…, classes) and the numbers of classes (…) are expected.")
    return (xp.argmax(prediction, axis=-1) == target.astype(xp.int32)).astype(xp.float32)

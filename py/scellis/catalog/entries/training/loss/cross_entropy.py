"""Cross-entropy of classes: minus the logarithm of the softmax at the right one.

The prediction has logits (batch, …, classes), the target integers (batch, …). With smoothing s the right
class has the share 1 − s, and s is divided among all.

Source: C. Szegedy et al., "Rethinking the Inception architecture for computer vision", 2016,
arXiv:1512.00567, section 7 (label smoothing).
"""

from scellis.catalog.language import number, refuse, xp

KIND = "loss"
FIELDS = {
    "label_smoothing": number(0.0, least=0, most=1, about="Share of the target that all classes have alike.")
}


def classes(prediction, fields):
    return prediction.shape[-1]


def loss(prediction, target, fields):
    if target.dtype not in (xp.int32, xp.uint32) or prediction.shape[:-1] != target.shape:
        refuse("logits (…, classes) and the numbers of classes (…) are expected.")
    classes, smoothing = prediction.shape[-1], fields.label_smoothing
    share = xp.one_hot(target, classes) * (1 - smoothing) + smoothing / classes
    return -xp.sum(share * xp.log_softmax(prediction), axis=-1)

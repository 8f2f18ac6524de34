"""Kullback–Leibler divergence of the softmax of logits from a distribution of classes.

The prediction has logits (batch, …, classes), the target chances of the same shape.

Source: S. Kullback, R. A. Leibler, "On information and sufficiency", 1951, doi:10.1214/aoms/1177729694.
"""

from scellis.catalog.language import refuse, xp

KIND = "loss"


def loss(prediction, target, fields):
    if prediction.shape != target.shape:
        refuse("logits and chances of one shape (…, classes) are expected.")
    there = target > 0
    known = xp.log(xp.where(there, target, 1.0))
    return xp.sum(target * (known - xp.log_softmax(prediction)), axis=-1)

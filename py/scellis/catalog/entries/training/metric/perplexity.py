"""Perplexity: the exponential of the mean cross-entropy, among how many words a model is in doubt.

Source: F. Jelinek et al., "Perplexity: a measure of the difficulty of speech recognition tasks", 1977,
doi:10.1121/1.2016299.
"""

from scellis.catalog.language import math, refuse, xp

KIND = "metric"


def measure(prediction, target, fields):
    if prediction.shape[:-1] != target.shape:
        refuse("logits (…, classes) and the numbers of classes (…) are expected.")
    right = xp.one_hot(target, prediction.shape[-1])
    return -xp.sum(right * xp.log_softmax(prediction), axis=-1)


def finish(mean, fields):
    return math.exp(mean) if mean < 700 else math.inf

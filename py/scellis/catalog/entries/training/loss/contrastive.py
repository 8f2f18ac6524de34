"""InfoNCE: each example is to be nearer its own target than those of the rest of the batch.

Prediction and target are embeddings (batch, features), compared by the cosine of their angle.

Source: A. van den Oord, Y. Li, O. Vinyals, "Representation learning with contrastive predictive coding",
2018, arXiv:1807.03748, equation 4.
"""

from scellis.catalog.language import boolean, number, refuse, xp

KIND = "loss"
FIELDS = {
    "temperature": number(0.1, above=0, about="What cosines are divided by."),
    "symmetric": boolean(False, about="Whether targets choose among examples too; the mean of both counts."),
}


def loss(prediction, target, fields):
    if prediction.ndim != 2 or prediction.shape != target.shape:
        refuse("embeddings of one shape (batch, features) are expected.")
    scores = unit(prediction) @ unit(target).T / fields.temperature
    found = chosen(scores)
    return (found + chosen(scores.T)) / 2 if fields.symmetric else found


def chosen(scores):
    """Minus the logarithm of the chance of the diagonal, of each row (batch,)."""
    return -xp.sum(xp.eye(scores.shape[0]) * xp.log_softmax(scores), axis=-1)


def unit(x):
    return x / xp.sqrt(xp.sum(x * x, axis=-1, keepdims=True) + 1e-12)

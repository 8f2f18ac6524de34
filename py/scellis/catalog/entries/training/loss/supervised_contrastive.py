"""Contrast by labels: each example is to be nearer those of its own label than the rest of the batch.

The prediction has embeddings (batch, features), the target labels (batch,). With two views of each image and
its number as their label it is SimCLR's loss. An example that is alone with its label has a loss of 0.

Source: P. Khosla et al., "Supervised contrastive learning", 2020, arXiv:2004.11362, equation 2.
"""

from scellis.catalog.language import number, refuse, xp

KIND = "loss"
FIELDS = {"temperature": number(0.1, above=0, about="What cosines are divided by.")}


def loss(prediction, target, fields):
    if prediction.ndim != 2 or prediction.shape[:1] != target.shape:
        refuse("embeddings (batch, features) and labels (batch,) are expected.")
    batch = target.shape[0]
    x = prediction / xp.sqrt(xp.sum(xp.square(prediction), axis=-1, keepdims=True) + 1e-12)
    itself = xp.eye(batch) > 0
    scores = xp.where(itself, -1e9, x @ x.T / fields.temperature)
    alike = ((target[:, None] == target[None, :]) & ~itself).astype(prediction.dtype)
    count = xp.maximum(xp.sum(alike, axis=-1), 1.0)
    return -xp.sum(alike * xp.log_softmax(scores), axis=-1) / count

"""Zero mean and unit variance of each channel over the batch: (batch, channels, …).

While the model is trained they are the batch's own, and running means of them are kept, of the variance that
of n − 1; afterwards those are taken.

Source: S. Ioffe, C. Szegedy, "Batch normalization", 2015, arXiv:1502.03167.
"""

from scellis.catalog.language import nn, number

KIND = "layer"
FIELDS = {
    "momentum": number(0.1, least=0, most=1, about="Share of the newest batch in the running means."),
    "eps": number(1e-5, above=0, about="Added to the variance."),
}


def layer(x, scope, fields):
    shape = x.shape[1:2]
    weight = scope.parameter("weight", shape, "model/initializer/ones")
    bias = scope.parameter("bias", shape, "model/initializer/zeros")
    mean = scope.state("running_mean", shape, 0.0)
    var = scope.state("running_var", shape, 1.0)
    if not scope.training:
        return nn.batch_norm(x, weight, bias, eps=fields.eps, statistics=(mean, var))[0]
    found, own_mean, own_var = nn.batch_norm(x, weight, bias, eps=fields.eps)
    count = x.size // shape[0]
    own_var = own_var * (count / max(count - 1, 1))
    scope.set("running_mean", mean + fields.momentum * (own_mean - mean))
    scope.set("running_var", var + fields.momentum * (own_var - var))
    return found

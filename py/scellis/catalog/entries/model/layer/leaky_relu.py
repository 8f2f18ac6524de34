"""x above 0, a share of it below.

Source: A. L. Maas, A. Y. Hannun, A. Y. Ng, "Rectifier nonlinearities improve neural network acoustic models",
2013.
"""

from scellis.catalog.language import nn, number

KIND = "layer"
FIELDS = {"negative_slope": number(0.01, least=0, about="The share.")}


def layer(x, scope, fields):
    return nn.leaky_relu(x, fields.negative_slope)

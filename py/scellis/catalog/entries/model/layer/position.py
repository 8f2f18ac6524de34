"""What is learnt of each place is added to it: (batch, length, features).

Source: J. Gehring et al., "Convolutional sequence to sequence learning", 2017, arXiv:1705.03122.
"""

from scellis.catalog.language import integer, number, refuse

KIND = "layer"
FIELDS = {
    "max_length": integer(least=1, about="The longest sequence."),
    "std": number(0.02, above=0, about="Standard deviation of what the table begins with."),
}


def layer(x, scope, fields):
    length, features = x.shape[-2:]
    if length > fields.max_length:
        refuse("the sequence is longer than max_length.")
    shape = (fields.max_length, features)
    return x + scope.parameter("weight", shape, "model/initializer/normal", std=fields.std)[:length]

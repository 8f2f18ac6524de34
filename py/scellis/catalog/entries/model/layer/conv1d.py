"""A convolution along sequences: (batch, channels, length) → (batch, out_channels, …).

Source: Y. LeCun et al., "Backpropagation applied to handwritten zip code recognition", 1989.
"""

from scellis.catalog.language import boolean, integer, nn, refuse, text

KIND = "layer"
FIELDS = {
    "out_channels": integer(least=1, about="Channels that come out."),
    "kernel_size": integer(3, least=1, about="Length of the window."),
    "stride": integer(1, least=1, about="Places that the window moves on by."),
    "padding": integer(0, least=0, about="Zeros put at either end."),
    "dilation": integer(1, least=1, about="Distance of the window's elements."),
    "groups": integer(1, least=1, about="Groups of channels, each convolved on its own."),
    "bias": boolean(True, about="Whether a number is added to each channel."),
    "initializer": text("model/initializer/kaiming_uniform", about="What the weights begin with."),
}


def layer(x, scope, fields):
    if x.ndim != 3 or x.shape[1] % fields.groups:
        refuse("(batch, channels, length), channels a multiple of groups, is expected.")
    each = x.shape[1] // fields.groups
    weight = scope.parameter("weight", (fields.out_channels, each, fields.kernel_size), fields.initializer)
    bias = None
    if fields.bias:
        fans = (each * fields.kernel_size, fields.out_channels)
        bias = scope.parameter("bias", (fields.out_channels,), "model/initializer/kaiming_uniform", fans)
    return nn.conv1d(
        x,
        weight,
        bias,
        stride=fields.stride,
        padding=fields.padding,
        dilation=fields.dilation,
        groups=fields.groups,
    )

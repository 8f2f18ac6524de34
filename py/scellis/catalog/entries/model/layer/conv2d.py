"""A convolution over images: (batch, channels, height, width) → (batch, out_channels, …).

Source: Y. LeCun et al., "Backpropagation applied to handwritten zip code recognition", 1989.
"""

from scellis.catalog.language import boolean, integer, nn, refuse, text

KIND = "layer"
FIELDS = {
    "out_channels": integer(least=1, about="Channels that come out."),
    "kernel_size": integer(3, least=1, about="Height and width of the window.", unit="pixels"),
    "stride": integer(1, least=1, about="How far the window moves on.", unit="pixels"),
    "padding": integer(0, least=0, about="Zeros put at each side.", unit="pixels"),
    "dilation": integer(1, least=1, about="Distance of the window's elements.", unit="pixels"),
    "groups": integer(1, least=1, about="Groups of channels, each convolved on its own."),
    "bias": boolean(True, about="Whether a number is added to each channel."),
    "initializer": text("model/initializer/kaiming_uniform", about="What the weights begin with."),
}


def layer(x, scope, fields):
    if x.ndim != 4 or x.shape[1] % fields.groups:
        refuse("(batch, channels, height, width), channels a multiple of groups, is expected.")
    each, size = x.shape[1] // fields.groups, fields.kernel_size
    weight = scope.parameter("weight", (fields.out_channels, each, size, size), fields.initializer)
    bias = None
    if fields.bias:
        fans = (each * size * size, fields.out_channels)
        bias = scope.parameter("bias", (fields.out_channels,), "model/initializer/kaiming_uniform", fans)
    return nn.conv2d(
        x,
        weight,
        bias,
        stride=fields.stride,
        padding=fields.padding,
        dilation=fields.dilation,
        groups=fields.groups,
    )

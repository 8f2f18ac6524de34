"""The mean of each window of images, channel by channel: (batch, channels, height, width).

Zeros that are put round the image are counted.
"""

from scellis.catalog.language import integer, nn

KIND = "layer"
FIELDS = {
    "kernel_size": integer(2, least=1, about="Height and width of the window.", unit="pixels"),
    "stride": integer(
        0, least=0, about="How far the window moves on; 0: as far as it is wide.", unit="pixels"
    ),
    "padding": integer(0, least=0, about="Pixels put at each side.", unit="pixels"),
}


def layer(x, scope, fields):
    return nn.avg_pool2d(x, fields.kernel_size, fields.stride or fields.kernel_size, fields.padding)

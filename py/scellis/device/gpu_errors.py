"""What can go wrong on a GPU, in words, with what to do about it."""

from __future__ import annotations

import re

from scellis.errors import ScellisError

_WORDS = {
    "SCL-GPU-NONE": (
        "There is no WebGPU adapter",
        "Use the oracle, a browser with WebGPU, or a Vulkan, Metal or Direct3D 12 driver.",
    ),
    "SCL-GPU-LOST": (
        "The GPU device was lost",
        "Nothing is lost with it: the run goes on when the device is opened again.",
    ),
    "SCL-GPU-OOM": (
        "The GPU has no memory for this",
        "Close what else uses the GPU, or compute less at a time: a smaller batch, fewer bins.",
    ),
    "SCL-GPU-SHADER": ("The GPU's driver did not take a kernel", "Please report it with the adapter's name."),
}
_CODED = re.compile(r"(SCL-GPU-[A-Z]+): (.*)", re.DOTALL)
DETAILS_LIMIT = 300
"""Characters kept of what a driver says: shader compilers quote whole programs."""


def gpu_error(code: str, details: str) -> ScellisError:
    """The error of a code, with what the driver said of it."""
    what, remedy = _WORDS[code]
    details = " ".join(details.split())[:DETAILS_LIMIT]
    return ScellisError(code, f"{what} ({details}).", remedy, details=details)


def coded_gpu_error(text: str) -> ScellisError:
    """The error that static/gpu.js reported as `CODE: details`; without a code it is a kernel's or tape's."""
    match = _CODED.search(text)
    if match is None or match[1] not in _WORDS:
        return gpu_error("SCL-GPU-SHADER", text)
    return gpu_error(match[1], match[2])

"""What f32 and f16 hold."""

from __future__ import annotations

UNIT_ROUNDOFF = 2.0**-24
"""Half the spacing of f32 at 1: the relative error of one correctly rounded operation."""

F16_INFINITE = 65520.0
"""From here on a number rounds to infinity in f16."""

F32_LARGEST = (2.0 - 2.0**-23) * 2.0**127
F32_SMALLEST = 2.0**-126
"""The least normal f32. A device may take what is smaller for zero (WGSL, "Floating point evaluation")."""

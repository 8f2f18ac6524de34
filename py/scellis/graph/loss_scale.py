"""Dynamic loss scaling, within the step: gradients too small for f16 are computed as multiples of themselves.

The scale and the count of steps since it last changed are carried from step to step, as parameters are. Where
a gradient overflows, the step is left out and the scale goes down; after some time without, it goes up.
Source: P. Micikevicius et al., "Mixed precision training", 2018, 3.2; the numbers are PyTorch's GradScaler's.

    def step(x, y, w, scale, steps):
        scaler = LossScaler(scale, steps)
        loss = …
        (slope,), finite = scaler.gradient(loss, [w])
        (w,) = scaler.kept(finite, [w - 0.1 * slope], [w])
        return [loss, w, *scaler.update(finite)]
"""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from scellis.graph import functions
from scellis.graph.autodiff import vjp
from scellis.graph.trace import Value

INITIAL_SCALE = 65536.0
"""What `scale` begins with; `steps` begins with 0."""


@attrs.frozen(eq=False)
class LossScaler:
    """`scale` () f32, and `steps` () i32 since it last changed.

    `growth` and `backoff` are powers of 2, so that scaling loses no digit; the scale grows every `interval`.
    """

    scale: Value
    steps: Value
    growth: float = 2.0
    backoff: float = 0.5
    interval: int = 2000

    def gradient(self, loss: Value, inputs: Sequence[Value]) -> tuple[list[Value], Value]:
        """∂loss/∂input for each input, and whether all elements are finite, () bool. Raises as `vjp` does."""
        scaled = vjp([loss], [self.scale], inputs)
        finite = functions.all(functions.isfinite(scaled[0]))
        for slope in scaled[1:]:
            finite = finite & functions.all(functions.isfinite(slope))
        return [slope * (1.0 / self.scale) for slope in scaled], finite

    def kept(self, finite: Value, after: Sequence[Value], before: Sequence[Value]) -> list[Value]:
        """The state of parameters and optimizer after the step, or that before where it is left out."""
        return [functions.where(finite, new, old) for new, old in zip(after, before, strict=True)]

    def update(self, finite: Value) -> tuple[Value, Value]:
        """Scale and steps for the next step."""
        due = self.steps >= self.interval - 1
        larger = self.scale * self.growth
        grown = functions.where(due & functions.isfinite(larger), larger, self.scale)
        scale = functions.where(finite, grown, self.scale * self.backoff)
        return scale, functions.where(finite & ~due, self.steps + 1, 0)

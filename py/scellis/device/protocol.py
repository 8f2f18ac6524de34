"""The device protocol: the border between what is to be computed and what computes it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import attrs
import numpy as np
from numpy.typing import NDArray

from scellis.device.port import Gpu
from scellis.graph import Graph
from scellis.graph.op import Array
from scellis.kernels.plan import ArrayPlan
from scellis.kernels.spec import SampleSpec

F64 = NDArray[np.float64]
I64 = NDArray[np.int64]

Words = tuple[int, int, int, int]


@attrs.frozen(eq=False)
class Accumulators:
    """What consecutive shards `first …` left, `s` of them.

    `count (s,) i64` finite draws; `mean (s,) f64` and `m2 (s,) f64` = Σ(y − mean)², in the output's unit;
    `bins (s, b) i64`; `underflow`, `overflow`, `nonfinite` `(s,) i64`.
    """

    first: int
    count: I64
    mean: F64
    m2: F64
    bins: I64
    underflow: I64
    overflow: I64
    nonfinite: I64


class Sampler(Protocol):
    """One program, prepared on one device."""

    @property
    def batch_shards(self) -> int:
        """Shards that one submit computes best on this device; it settles after the first batches."""

    async def run(self, first: int, count: int) -> Accumulators:
        """The accumulators of shards `first … first + count − 1`.

        Raises `SCL-GPU-LOST` when the device went away; the same call on a new device gives the same bits.
        """

    def close(self) -> None:
        """Free what the sampler holds on the device; closing twice is once."""


class Compiled(Protocol):
    """A graph of arrays, ready to be computed on one device."""

    async def compute(self, inputs: Sequence[Array | None]) -> list[Array | None]:
        """The outputs, from the inputs in order, each of its graph's shape and type.

        None stands for an input that is as it was left: given before, or carried. An output that is carried
        stays on the device, and None stands for it. Raises `SCL-GRAPH-INPUT` for an input of another shape or
        type, `SCL-GPU-LOST`, and what a trap finds; what is carried is then as it was before.
        """

    async def read(self, number: int) -> Array:
        """An input as it now is on the device. Copies it back."""

    def close(self) -> None:
        """Free what is held on the device; closing twice is once."""


class Planned(Protocol):
    """A graph of arrays as a device with buffers would compute it: nothing of it is there yet."""

    @property
    def gpu(self) -> Gpu:
        """Where it would be made."""

    @property
    def plan(self) -> ArrayPlan:
        """Its kernels and buffers."""

    @property
    def bytes(self) -> int:
        """What its buffers take on the device from `compile` to `close`, answers included."""

    async def compile(self) -> Compiled:
        """Make it. Raises `SCL-GPU-SHADER`, `SCL-GPU-OOM`, `SCL-GPU-LOST`."""


class Device(Protocol):
    """Something that computes."""

    kind: str
    """`oracle`, `webgpu` (in a tab) or `native`."""

    fingerprint: dict[str, Any]
    """What may change a bit: adapter, driver or runtime hash, engine, kernel table. JSON values."""

    async def prepare(self, graph: Graph, spec: SampleSpec, tier: str) -> Sampler:
        """Lower and compile a program. Raises `SCL-GPU-SHADER`, `SCL-GPU-OOM`."""

    async def plan(
        self, graph: Graph, tier: str, carry: Mapping[int, int] | None = None, trap: str = ""
    ) -> Planned | None:
        """Lower a graph of arrays and make nothing yet; None where the device has no buffers to plan.

        Arguments are those of `compile`. Raises `SCL-GRAPH-CARRY`, `SCL-ARRAY-TRAP`, `SCL-KERNEL-*`.
        """

    async def compile(
        self, graph: Graph, tier: str, carry: Mapping[int, int] | None = None, trap: str = ""
    ) -> Compiled:
        """Lower and compile a graph of arrays.

        `carry` says which outputs become which inputs of the next computation, by their places: parameters,
        say, which then never leave the device. `trap`: "nan", or "nonfinite" for infinities too, has each
        computation fail in which one arises, by `SCL-ARRAY-NAN` or `SCL-ARRAY-NONFINITE`, naming the first
        operation that holds one; every array is then computed by a kernel of its own. Raises
        `SCL-GRAPH-CARRY`, `SCL-ARRAY-TRAP`, `SCL-KERNEL-*`, `SCL-GPU-SHADER`, `SCL-GPU-OOM`.
        """

    async def philox(self, counter: Words, key: tuple[int, int]) -> Words:
        """One Philox4x32-10 block, computed on the device itself: what `scellis doctor` checks."""

    async def close(self) -> None:
        """Give the device back; closing twice is once."""

"""How much a GPU holds: WebGPU does not say, so it is tried, set by a person, or assumed."""

from __future__ import annotations

from contextlib import ExitStack

import attrs

from scellis.device import tape
from scellis.device.port import STORAGE_USAGE, Gpu
from scellis.errors import ScellisError
from scellis.kernels.fit import ELEMENT_BYTES

ASSUMED_BYTES = 2**30
"""What a device is taken to hold that was not tried: integrated GPUs and phones have that much to spare."""
PROBE_LIMIT_BYTES = 2**37
"""The most that is tried: more than any card of today holds."""
CHUNK_BYTES = 2**28
"""One buffer of a trial; what every device of WebGPU makes as one."""
FULL = 0.8
"""The share up to which a device is filled without a thought: page, driver and other programs take some."""


@attrs.frozen
class Capacity:
    """What a device holds. `source` is `probed`, `set` or `assumed`.

    `at_least`: so much was made and written without fail, and no more was tried.
    """

    bytes: int
    source: str
    at_least: bool = False


async def probe(gpu: Gpu, bound: int) -> Capacity:
    """Make buffers of `bound` bytes together, write all of each, and free them: how far that goes.

    What is asked for is no more than what is about to be used. Raises `SCL-GPU-LOST`.
    """
    bound = min(bound, PROBE_LIMIT_BYTES)
    held = 0
    with ExitStack() as made:
        while held < bound:
            size = -(-min(CHUNK_BYTES, bound - held) // ELEMENT_BYTES) * ELEMENT_BYTES
            try:
                buffer = await gpu.buffer(size, STORAGE_USAGE, "capacity probe")
                made.callback(gpu.free, buffer)
                # Memory that nobody has written to may not be there.
                commands = [*tape.clear(buffer, size), *tape.collect(buffer, ELEMENT_BYTES, 0)]
                written = await gpu.tape(commands, ELEMENT_BYTES, 1, "capacity probe")
                made.callback(gpu.free, written)
                await gpu.replay(written, [])
            except ScellisError as error:
                if error.code != "SCL-GPU-OOM":
                    raise
                return Capacity(held, "probed")
            held += size
    return Capacity(held, "probed", at_least=True)


async def capacity_for(gpu: Gpu, needed: int, set_bytes: int | None = None) -> Capacity:
    """What a device holds, as far as `needed` bytes ask: the person's word, else what is assumed, else tried.

    It is tried where what is assumed would not do, and no further than that the need fills `FULL` of it.
    """
    if set_bytes is not None:
        return Capacity(set_bytes, "set")
    if needed <= FULL * ASSUMED_BYTES:
        return Capacity(ASSUMED_BYTES, "assumed")
    return await probe(gpu, wanted_bytes(needed))


def wanted_bytes(needed: int) -> int:
    """What a device holds that `needed` bytes fill up to `FULL`."""
    return int(needed / FULL) + ELEMENT_BYTES

"""Runs a test kernel over an array on any Gpu port: natively, in a tab, in Node."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scellis.device import tape
from scellis.device.port import STORAGE_USAGE, Gpu
from scellis.kernels.config import GRID_LIMIT
from scellis.kernels.templates import expand

KERNELS = Path(__file__).parent / "kernels"
THREADS = 64
"""Threads of a workgroup of every test kernel."""


class Mapper:
    """One output word or more for each input word; `words` is what this adapter takes for words_*.wgsl."""

    def __init__(self, gpu: Gpu, words: str = "words_float.wgsl") -> None:
        self._gpu = gpu
        self._includes = {"words": words, "elementary": "elementary.wgsl"}

    async def __call__(
        self,
        kernel: str,
        inputs: NDArray[Any],
        outputs: int,
        *,
        includes: dict[str, str] | None = None,
        puts: dict[str, str] | None = None,
    ) -> NDArray[np.uint32]:
        """Run the kernel of that name in tests/support/kernels; answers `outputs` u32 words."""
        files = self._includes | (includes or {})
        wgsl = expand((KERNELS / kernel).read_text(), includes=files, puts=puts or {})
        pipeline = await self._gpu.pipeline(wgsl, "main", {}, kernel)
        source = await self._gpu.buffer(inputs.nbytes, STORAGE_USAGE, "inputs")
        target = await self._gpu.buffer(outputs * 4, STORAGE_USAGE, "outputs")
        self._gpu.write(source, 0, inputs.tobytes())
        groups = -(-outputs // THREADS)
        across = min(groups, GRID_LIMIT)
        commands = [
            *tape.clear(target, outputs * 4),
            *tape.dispatch(pipeline, (across, -(-groups // across), 1), [source, target]),
            *tape.collect(target, outputs * 4, 0),
        ]
        recorded = await self._gpu.tape(commands, outputs * 4, 1, kernel)
        try:
            return np.frombuffer(await self._gpu.replay(recorded, []), "<u4")
        finally:
            for handle in (recorded, target, source, pipeline):
                self._gpu.free(handle)

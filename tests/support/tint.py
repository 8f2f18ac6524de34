"""What Tint, the compiler of WGSL in Chromium, says of kernels."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path

TINT = Path(__file__).parent / "tint.mjs"


def said_of(kernels: Sequence[str]) -> list[str | None]:
    """The fault of each kernel, None where there is none."""
    given = json.dumps(list(kernels))
    done = subprocess.run(
        ["node", str(TINT)], input=given, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    said: list[str | None] = json.loads(done.stdout)
    return said

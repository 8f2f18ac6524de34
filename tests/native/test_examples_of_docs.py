"""The programs that the documentation shows do what it says."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from support.vulkan import swiftshader_environment

DOCS = Path(__file__).parents[2] / "docs"


def test_the_fit_of_arrays_md() -> None:
    (program,) = re.findall(
        r"```python\n(.*?)```", (DOCS / "arrays.md").read_text(encoding="utf-8"), re.DOTALL
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=swiftshader_environment(), capture_output=True, text=True, timeout=120, check=True,
    )  # fmt: skip
    loss = float(done.stdout.split()[0])
    assert 0 <= loss < 0.01

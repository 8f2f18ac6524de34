"""Without an adapter, without wgpu: a sentence that says so and what to do, and an exit status."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from support.vulkan import ADAPTER

EXAMPLE = Path(__file__).parents[2] / "examples" / "gauge_block.sml"


def run(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code, "run", str(EXAMPLE), "--shards", "2", "--device", "native"],
        env={**os.environ, **environment}, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("before", "remedy"),
    [("", "Use the oracle"), ("sys.modules['wgpu'] = None; ", "pip install 'scellis[native]'")],
    ids=["no adapter", "no wgpu"],
)
def test_no_gpu_is_said_with_a_remedy(tmp_path: Path, before: str, remedy: str) -> None:
    nothing = str(tmp_path / "no-driver.json")
    code = f"import runpy, sys; {before}runpy.run_module('scellis', run_name='__main__')"
    drivers = {"VK_DRIVER_FILES": nothing, "VK_ICD_FILENAMES": nothing, ADAPTER: ""}
    done = run(code, WGPU_BACKEND_TYPE="Vulkan", **drivers)
    assert done.returncode != 0
    assert "SCL-GPU-NONE" in done.stderr
    assert remedy in done.stderr
    assert "Traceback" not in done.stderr

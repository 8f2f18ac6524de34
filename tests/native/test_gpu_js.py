"""static/gpu.js on Dawn in Node: the very file of the page."""

from __future__ import annotations

import subprocess
from pathlib import Path

from support.vulkan import swiftshader_environment


def test_gpu_js() -> None:
    suite = Path(__file__).with_name("gpu.test.mjs")
    done = subprocess.run(
        ["node", "--test", "--test-reporter=spec", str(suite)],
        env=swiftshader_environment(), capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr

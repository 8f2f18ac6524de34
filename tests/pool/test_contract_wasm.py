"""The same contract inside the WebAssembly interpreter that the tab runs: one machine, two homes."""

from __future__ import annotations

import json
import subprocess
import sysconfig
from pathlib import Path

from support.pool_contract import CASES

ROOT = Path(__file__).resolve().parents[2]
TIME_LIMIT_S = 180


def test_the_contract_holds_in_the_tab_s_interpreter() -> None:
    folders = [ROOT / "tests", ROOT / "py", Path(sysconfig.get_path("purelib"))]
    command = ["node", ROOT / "tests/support/contract_in_wasm.mjs", ROOT / "node_modules/pyodide", *folders]
    done = subprocess.run(command, capture_output=True, text=True, timeout=TIME_LIMIT_S, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    report = json.loads(done.stdout.strip().splitlines()[-1])
    assert report["failed"] == {}
    assert report["platform"] == "emscripten"
    assert report["passed"] == 2 * len(CASES)

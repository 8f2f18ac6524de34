"""The programs that the documentation shows do what it says."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from support.vulkan import swiftshader_environment

DOCS = Path(__file__).parents[2] / "docs"


def _blocks(page: str, kind: str) -> list[str]:
    return re.findall(rf"```{kind}\n(.*?)```", (DOCS / page).read_text(encoding="utf-8"), re.DOTALL)


def _printed(program: Path | str) -> str:
    given = ["-c", program] if isinstance(program, str) else [str(program)]
    done = subprocess.run(
        [sys.executable, *given],
        env={**swiftshader_environment(), "PYTHONIOENCODING": "utf-8"},
        capture_output=True, encoding="utf-8", timeout=120, check=True,
    )  # fmt: skip
    return done.stdout


def test_the_fit_of_arrays_md() -> None:
    (program,) = _blocks("arrays.md", "python")
    loss = float(_printed(program).split()[0])
    assert 0 <= loss < 0.01


def test_the_journey_of_arrays_prints_what_it_shows(tmp_path: Path) -> None:
    walk = tmp_path / "walk.py"
    walk.write_text("".join(_blocks("journey-arrays.md", "python")), encoding="utf-8")
    assert _printed(walk) == "".join(_blocks("journey-arrays.md", "text"))

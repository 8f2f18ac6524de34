"""Plans outlive the process natively, in a folder of this user that is bounded and may be spoilt."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from scellis.cli import doctor
from scellis.cli.main import main
from scellis.content import FolderStore
from scellis.content.folders import NOWHERE, VARIABLE, cache_folder
from scellis.device import plans, user_plans
from scellis.device.native import open_native
from scellis.device.plans import Plans
from scellis.graph import functions as xp
from support.arrays import numbers, traced
from support.vulkan import swiftshader_environment

ROOT = Path(__file__).parents[2]
PROGRAM = """
import asyncio, json
from scellis.device import plans
from scellis.device.native import open_native
from support import mlp

planned = []
plan_graph = plans.plan_graph
plans.plan_graph = lambda *args, **named: planned.append(1) or plan_graph(*args, **named)

async def main():
    device = await open_native()
    size = (16, 20, 12, 4)
    x, y, *state = mlp.start(*size)
    compiled = await device.compile(mlp.step(*size), "debug", mlp.CARRY)
    loss, *_ = await compiled.compute([x, y, *mlp.corrections(1), *state])
    found = {"planned": len(planned), "loss": loss.tobytes().hex(), "notices": compiled.plan.notices}
    print(json.dumps(found))
    await device.close()

asyncio.run(main())
"""


def _process(cache: Path | str) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        env={**swiftshader_environment(), VARIABLE: str(cache)},
        cwd=ROOT / "tests", capture_output=True, encoding="utf-8", timeout=120, check=True,
    )  # fmt: skip
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def _taken_from(root: Path, folder: str) -> int:
    """How many plans lay in a folder, which is left empty as all others are."""
    for entry in (entries := list((root / folder).glob("refs/plan-*"))):
        entry.unlink()
    assert list(root.glob("**/plan-*")) == []
    return len(entries)


def test_a_plan_outlives_the_process_and_a_damaged_one_is_made_anew(tmp_path: Path) -> None:
    first, second = _process(tmp_path), _process(tmp_path)
    assert (first["planned"], second["planned"]) == (1, 0)
    (entry,) = (tmp_path / "plans" / "refs").iterdir()
    entry.write_bytes(entry.read_bytes()[:-1] + b"?")
    third = _process(tmp_path)
    assert third["planned"] == 1
    assert "made anew" in third["notices"][0]
    assert first["notices"] == second["notices"] == []
    assert first["loss"] == second["loss"] == third["loss"]
    assert _process(NOWHERE)["planned"] == 1


async def test_who_opens_a_device_says_where_plans_are_kept(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv(VARIABLE, str(tmp_path / "user"))
    graph = traced(xp.softmax, numbers((3, 4)))
    own = Plans(FolderStore(tmp_path / "own"))
    for given, folder in ((True, "user/plans"), (False, "none"), (own, "own")):
        device = await open_native(given)
        (await device.compile(graph, "prod")).close()
        await device.close()
        assert _taken_from(tmp_path, folder) == (0 if given is False else 1)


async def test_a_folder_that_cannot_be_used_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "plans").write_text("a file in the place of the folder")
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    device = await open_native()
    compiled = await device.compile(traced(xp.softmax, numbers((3, 4))), "prod")
    (notice,) = compiled.plan.notices
    compiled.close()
    await device.close()
    assert notice.startswith("The plan is not kept for the next time: ")
    assert str(tmp_path) in notice


async def test_what_the_folder_holds_is_bounded(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(plans, "KEPT", 2)
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    device = await open_native()
    for length in range(1, 6):
        (await device.compile(traced(xp.softmax, numbers((length, 4))), "prod")).close()
    last, *_ = entries = sorted((tmp_path / "plans" / "refs").iterdir(), reverse=True)
    assert len(entries) == 2
    with last.open("ab") as file:
        file.truncate(10**10)  # of which no more is read than an entry may have
    compiled = await device.compile(traced(xp.softmax, numbers((5, 4))), "prod")
    (notice,) = compiled.plan.notices
    compiled.close()
    await device.close()
    assert "has more than" in notice


def test_another_code_plans_anew(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    builds = set()
    for text in ("x = 1", "x = 2"):
        (tmp_path / "module.py").write_text(text)
        monkeypatch.setattr(user_plans.scellis, "__file__", str(tmp_path / "__init__.py"))
        user_plans.build.cache_clear()
        builds.add(user_plans.build())
    user_plans.build.cache_clear()
    assert len(builds) == 2


def test_doctor_says_where_they_lie_and_how_to_be_rid_of_them(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(doctor, "DEVICES", ())
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    main(["doctor"])
    said = capsys.readouterr().out
    assert f"The last 64 plans of graphs are kept in {tmp_path / 'plans'}: 0.0 MB.\nDelete it" in said
    monkeypatch.setenv(VARIABLE, NOWHERE)
    main(["doctor"])
    assert "Plans of graphs are not kept." in capsys.readouterr().out


@pytest.mark.parametrize(
    ("platform", "environment", "expected"),
    [
        ("linux", {}, "{home}/.cache/scellis"),
        ("linux", {"XDG_CACHE_HOME": "/var/caches"}, "/var/caches/scellis"),
        ("linux", {"XDG_CACHE_HOME": "caches"}, "{home}/.cache/scellis"),
        ("darwin", {"XDG_CACHE_HOME": "/var/caches"}, "{home}/Library/Caches/scellis"),
        ("win32", {}, "{home}/AppData/Local/scellis"),
        ("win32", {"LOCALAPPDATA": "/local"}, "/local/scellis"),
        ("win32", {VARIABLE: "mine", "LOCALAPPDATA": "/local"}, "mine"),
    ],
)
def test_the_folder_is_where_a_system_has_such(
    platform: str, environment: dict[str, str], expected: str
) -> None:
    assert cache_folder(environment, platform) == Path(expected.format(home=Path.home()))

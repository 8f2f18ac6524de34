"""The command, as a person runs it: a process, its output and its exit status."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from support.programs import example_text

ROOT = Path(__file__).parents[2]
GAUGE = ROOT / "examples" / "gauge_block.sml"
SATURATING = ROOT / "examples" / "saturating.sml"


def scellis(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command: list[str] = [sys.executable, "-m", "scellis", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


@pytest.fixture(scope="module")
def gauge_run() -> dict[str, object]:
    done = scellis("run", GAUGE, "--shards", "16", "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_run_prints_one_json_object_with_the_published_answer(gauge_run) -> None:
    assert gauge_run["determinism_tier"] == "prod"
    assert gauge_run["draws"] == 16 * 65536
    assert gauge_run["device"] == "oracle"
    assert gauge_run["address"].startswith("sha256:")
    # JCGM 101, 9.5.3: 838 nm, 36 nm, [745, 932] nm; six standard errors of the mean, and a bin for the ends.
    assert abs(gauge_run["mean"] - 837.997) < 6 * 35.8 / 1024
    assert abs(gauge_run["std"] - 35.801) < 0.2
    low, high = gauge_run["interval"]
    assert abs(low - 744.65) < gauge_run["interval_error"] + 0.5
    assert abs(high - 931.87) < gauge_run["interval_error"] + 0.5


def test_the_same_run_has_the_same_address(gauge_run) -> None:
    again = json.loads(scellis("run", GAUGE, "--shards", "16", "--json").stdout)
    assert again["address"] == gauge_run["address"]
    assert again["job"] == gauge_run["job"]


def test_a_shard_is_replayed_from_the_url_alone(gauge_run) -> None:
    done = scellis("replay", gauge_run["url"], "--shard", "11", "--json")
    assert done.returncode == 0, done.stderr
    replay = json.loads(done.stdout)
    assert replay["same_bits"] is True
    assert replay["agrees"] is True
    assert replay["job"] == gauge_run["job"]


def test_a_shard_that_does_not_exist_is_refused_by_its_number(gauge_run) -> None:
    done = scellis("replay", gauge_run["url"], "--shard", "16")
    assert done.returncode == 1
    assert "SCL-RECORD-SHARD" in done.stderr
    assert "0 to 15" in done.stderr


def test_a_damaged_url_is_refused_with_a_remedy(gauge_run) -> None:
    done = scellis("replay", gauge_run["url"][:-40], "--shard", "1")
    assert done.returncode == 1
    assert "SCL-RECORD-URL" in done.stderr
    assert "Copy the whole address" in done.stderr


TINY = example_text("gauge_block", shards=1, draws_per_shard=1)


def test_one_draw_has_a_mean_and_no_deviation(tmp_path: Path) -> None:
    (tmp_path / "tiny.sml").write_text(TINY)
    done = scellis("run", tmp_path / "tiny.sml")
    assert done.returncode == 0, done.stderr
    assert "of one draw" in done.stdout


def test_a_run_too_long_for_a_url_keeps_its_result(tmp_path: Path) -> None:
    (tmp_path / "tiny.sml").write_text(TINY)
    done = scellis("run", tmp_path / "tiny.sml", "--shards", "2049", "--json")
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["draws"] == 2049
    assert report["url"] is None
    assert "2049 shards" in report["url_refusal"]


def test_a_pipe_gets_no_progress_bar() -> None:
    done = scellis("run", SATURATING, "--shards", "2")
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert "verified" in done.stdout


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("determinism_tier: prod", "", "the field 'determinism_tier' is missing"),
        ("seed: 20081009", "", "the field 'seed' is missing"),
        ("seed: 20081009", "sed: 1", "Did you mean 'seed'?"),
        ("load / (1 + load)", "sinh(load)", "there is no function 'sinh'"),
        ("draw: arcsine", "draw: arcsin", "'arcsin' is not known. Did you mean 'arcsine'?"),
        ("determinism_tier: prod", "determinism_tier: best", "'best'"),
        ("{by_seed:", "{by_rows:", "there is no partition 'by_rows'"),
        ("moments_histogram", "mean_of_means", "mean_of_means"),
        ("low: 0.02", "low: 0.3", "low must be less than high"),
        ("bound - background", "bound - 2 * bound", "the output does not depend on it"),
        ("sml: 1", "sml: 9", "this engine reads SML version 1"),
    ],
)
def test_a_bad_text_is_a_clear_sentence(tmp_path: Path, before: str, after: str, said: str) -> None:
    text = SATURATING.read_text()
    assert before in text
    bad = tmp_path / "bad.sml"
    bad.write_text(text.replace(before, after))
    done = scellis("run", bad, "--shards", "1")
    assert done.returncode == 1
    assert said in done.stderr
    assert done.stderr.startswith(f"scellis: {bad}: ")
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("option", "value", "said"),
    [
        ("--port", "99999", "SCL-SERVE-PORT"),
        ("--db", "/proc/x.db", "SCL-SERVE-DB"),
        ("--db", str(GAUGE), "SCL-SERVE-DB"),
        ("--site", "/nowhere", "SCL-SERVE-SITE"),
        ("--lease", "0", "from 1 to 86400"),
        ("--lease", "soon", "from 1 to 86400"),
    ],
)
def test_what_cannot_be_served_is_a_clear_sentence(
    tmp_path: Path, option: str, value: str, said: str
) -> None:
    (tmp_path / "index.html").write_text("<title>page</title>")
    wanted = {"--port": "0", "--site": str(tmp_path), "--db": str(tmp_path / "pools.db"), option: value}
    done = scellis("serve", *(word for pair in wanted.items() for word in pair))
    assert done.returncode in (1, 2)
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_a_missing_file_and_a_binary_one_are_named(tmp_path: Path) -> None:
    missing = scellis("run", tmp_path / "no.sml")
    assert missing.returncode == 1
    assert "no.sml cannot be read" in missing.stderr
    (tmp_path / "noise.sml").write_bytes(bytes(range(256)))
    noise = scellis("run", tmp_path / "noise.sml")
    assert noise.returncode == 1
    assert "Traceback" not in noise.stderr


def test_doctor_finds_the_oracle_and_its_known_answers() -> None:
    done = scellis("doctor", "--json")
    report = json.loads(done.stdout)
    oracle = next(found for found in report["devices"] if found["device"] == "oracle")
    assert oracle["philox"] == "ok"
    assert done.returncode == 0


def test_doctor_says_what_has_changed_since(tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    path.write_text(scellis("doctor", "--json").stdout)
    same = scellis("doctor", "--since", path)
    assert same.returncode == 0
    assert "it was" not in same.stdout
    path.write_text(path.read_text().replace('"numpy": "', '"numpy": "1.'))
    other = scellis("doctor", "--since", path)
    assert other.returncode == 1
    assert "! numpy is 2." in other.stdout
    assert "it was 1.2." in other.stdout
    path.write_text('{"devices": 7}')
    assert "SCL-RUN-FILE" in scellis("doctor", "--since", path).stderr

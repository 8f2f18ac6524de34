"""What a person is told of a program: every rung, on the command line and as a picture."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from scellis.cli.main import main
from scellis.graph import Graph
from scellis.kernels.table import kernel_table_address
from support import mlp

GAUGE = Path(__file__).parents[2] / "examples" / "gauge_block.sml"


@pytest.fixture
def step(tmp_path: Path) -> tuple[Graph, str]:
    """A training step and the file that holds it."""
    graph = mlp.step(32, 20, 16, 10)
    path = tmp_path / "step.json"
    path.write_text(json.dumps(graph.to_json()))
    return graph, str(path)


def test_every_node_and_every_dispatch_is_told(
    step: tuple[Graph, str], capsys: pytest.CaptureFixture[str]
) -> None:
    graph, path = step
    assert main(["explain", path, "--bindings", "10"]) == 0
    said = capsys.readouterr().out
    nodes, plan = said.split("── Fused")[0], said.split("── Fused")[1]
    assert len(re.findall(r"^%\d+ = ", nodes.split("── Pruned")[0], re.M)) == len(graph.nodes)
    assert "%0 = input(shape=(32, 20), dtype=f32): (32, 20) f32" in nodes
    assert nodes.split("── Pruned")[0].count("→ output") == len(graph.outputs)
    counts = re.findall(r"(\d+) dispatches", plan)
    assert counts == [
        str(len(re.findall(r"^\d+\. \w+\.wgsl, \d+ × \d+ × \d+ workgroups, sha256:", plan, re.M)))
    ]
    assert "matmul_tiles.wgsl" in plan


def test_the_choice_of_kernels_follows_the_adapter(
    step: tuple[Graph, str], capsys: pytest.CaptureFixture[str]
) -> None:
    main(["explain", step[1], "--adapter", "software", "--wgsl"])
    said = capsys.readouterr().out
    assert "matmul_registers.wgsl" in said
    addresses = set(re.findall(r"workgroups, (sha256:\w{12})", said))
    assert {name[:19] for name in re.findall(r"── (sha256:\w+) ──", said)} == addresses
    assert said.count("@compute") == len(addresses)


def test_what_a_kernel_takes_of_the_device_is_told(
    step: tuple[Graph, str], capsys: pytest.CaptureFixture[str]
) -> None:
    features = [word for name in ("shader-f16", "subgroups", "subgroup_id") for word in ("--feature", name)]
    enabled = {}
    for tier in ("prod", "fast"):
        main(["explain", step[1], "--tier", tier, "--precision", "mixed_f16", *features])
        said = capsys.readouterr().out
        enabled[tier] = set(re.findall(r"^\d+\. .* workgroups, sha256:\w{12}, with (.*)$", said, re.M))
    assert enabled["prod"] == {"f16"}
    assert "subgroups" in enabled["fast"]


def test_each_operation_can_be_a_kernel_of_its_own(
    step: tuple[Graph, str], capsys: pytest.CaptureFixture[str]
) -> None:
    path = step[1]
    main(["explain", path, "--unfused"])
    said = capsys.readouterr().out.split("── Unfused")[1]
    made = re.findall(r"^   writes %(\d+) ", said, re.M)
    computing = re.findall(r"^   computes (.*)$", said, re.M)
    assert len(made) == len(set(made)) == len(computing)
    views = {"reshape", "permute_dims", "slice", "iota"}
    for line in computing:
        ops = [name.split()[1] for name in line.split(", ")]
        assert len([op for op in ops if op not in views]) == 1, line
    names = re.findall(r"This plan is (sha256:\w{64}), of the kernel table (sha256:\w{64})", said)
    assert names[0][1] == kernel_table_address()
    main(["explain", path])
    assert names[0][0] not in capsys.readouterr().out


def test_the_picture_joins_what_was_made_to_what_reads_it(
    step: tuple[Graph, str], capsys: pytest.CaptureFixture[str]
) -> None:
    main(["explain", step[1], "--dot"])
    said = capsys.readouterr().out
    assert said.startswith("digraph plan {")
    named = set(re.findall(r"^\s+(\w+) \[", said, re.M))
    ends = set(re.findall(r"(\w+) -> (\w+)", said))
    assert {end for pair in ends for end in pair} <= named
    assert said.count("subgraph") > 5


def test_a_job_is_one_kernel(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", str(GAUGE), "--wgsl"]) == 0
    said = capsys.readouterr().out
    assert "draw_ctrap" in said
    assert "65,536 draws" in said
    assert said.count("@compute") == 1


def test_what_is_no_program_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad = tmp_path / "bad.json"
    bad.write_text('{"nodes": [["sine", [], {}]], "outputs": [0]}')
    for path in (bad, tmp_path / "missing.json", tmp_path / "missing.sml"):
        assert main(["explain", str(path)]) == 1
    assert main(["explain", str(GAUGE), "--dot"]) == 1
    said = capsys.readouterr().err
    assert "no operation 'sine'" in said
    assert said.count("SCL-RUN-FILE") == 3

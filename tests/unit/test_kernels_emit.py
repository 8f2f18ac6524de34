"""A program as WGSL text: constants to the bit, words in their order, one line a node."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scellis.errors import ScellisError
from scellis.graph import Graph, Node, ctrap, normal, student_t, trace, uniform
from scellis.kernels.config import (
    DRAWS_PER_THREAD_LIMIT,
    KERNEL_TABLE,
    KernelConfig,
    adapter_class,
    choose_config,
)
from scellis.kernels.emit import emit_blocks, emit_draw, literal
from scellis.kernels.sampling import BINS_LIMIT, DRAWS_LIMIT, TIERS, lower
from scellis.kernels.spec import SampleSpec
from scellis.planner.pilot import ACCUMULATION_DEPTH
from support.programs import EXAMPLES, example_plan

SPEC = SampleSpec(seed=1, family=1, draws_per_shard=65536, bins=256, low=-1.0, high=1.0, pivot=0.0, scale=1.0)
PROGRAM = trace(
    lambda x, y, z: x * y + z, x=uniform(0.1, 0.7), y=student_t(18, 623, 25), z=ctrap(-1, 1, 0.25)
)
CONFIG = KERNEL_TABLE["gpu"]


@given(st.floats(width=32, allow_nan=False, allow_infinity=False))
def test_a_literal_says_exactly_its_bits(value: float) -> None:
    text = literal(value)
    assert re.fullmatch(r"-?0x[01]\.[0-9a-f]+p[+-]\d+f", text)
    assert np.float32(float.fromhex(text[:-1])).tobytes() == np.float32(value).tobytes()


def test_a_literal_is_rounded_once() -> None:
    assert float.fromhex(literal(0.1)[:-1]) == np.float32(0.1)


@pytest.mark.parametrize("value", [1e39, -3.5e38, float("inf"), float("nan")])
def test_what_f32_cannot_hold_is_refused(value: float) -> None:
    with pytest.raises(ScellisError) as caught:
        literal(value)
    assert caught.value.code == "SCL-KERNEL-RANGE"


def test_words_go_to_draws_in_node_order() -> None:
    text = emit_draw(PROGRAM)
    words = re.findall(r"uniform_from_word\(words(\d)\.([xyzw])\)", text)
    assert ["xyzw".index(lane) + 4 * int(block) for block, lane in words] == [0, 1, 2, 3, 4]
    assert text.count("= stream_words(") == emit_blocks(PROGRAM).count("= block_head(") == 2


def test_parameters_are_folded_in_f64_and_rounded_once() -> None:
    (line,) = [
        line
        for line in emit_draw(trace(lambda x: x, x=student_t(18, 623, 25))).splitlines()
        if "draw_t" in line
    ]
    found = [float.fromhex(number) for number in re.findall(r"(-?0x[^ ,]+)f", line)]
    assert found == [np.float32(-2 / 18), 623.0, np.float32(18**0.5 * 25)]


def test_every_node_is_one_line_and_the_output_is_y() -> None:
    graph = Graph((*PROGRAM.nodes, Node("negative", (PROGRAM.output,))), len(PROGRAM.nodes))
    lines = emit_draw(graph).splitlines()
    assert [line.split(" = ")[0] for line in lines[2:]] == [
        *(f"let v{i}" for i in range(len(graph.nodes))),
        "let y",
    ]
    assert lines[-1] == f"let y = v{graph.output};"
    assert lines[-2] == f"let v{graph.output} = -v{PROGRAM.output};"


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize("name", EXAMPLES)
def test_a_lowered_kernel_is_whole(name: str, tier: str) -> None:
    kernel = lower(example_plan(name).job.program, SPEC, tier, CONFIG)
    assert "//#" not in kernel.wgsl
    assert kernel.wgsl.count("fn philox_round(") == kernel.wgsl.count("fn cos2pi(") == 1
    assert ("exp2(" in kernel.wgsl) == (tier == "fast")


def test_the_address_names_text_and_constants() -> None:
    kernel = lower(PROGRAM, SPEC, "prod", CONFIG)
    other_seed = SampleSpec(**{**_fields(SPEC), "seed": 2})
    assert kernel.address == lower(PROGRAM, SPEC, "prod", CONFIG).address
    assert lower(PROGRAM, other_seed, "prod", CONFIG).wgsl == kernel.wgsl
    assert (
        len(
            {
                lower(PROGRAM, spec, tier, CONFIG).address
                for spec in (SPEC, other_seed)
                for tier in ("prod", "fast")
            }
        )
        == 4
    )


def _fields(spec: SampleSpec) -> dict[str, float]:
    return {name: getattr(spec, name) for name in spec.__slots__ if not name.startswith("__")}


def test_the_seed_is_split_into_key_words() -> None:
    spec = SampleSpec(**{**_fields(SPEC), "seed": 0x0123456789ABCDEF})
    constants = lower(PROGRAM, spec, "prod", CONFIG).constants
    assert (constants["KEY_0"], constants["KEY_1"]) == (0x89ABCDEF, 0x01234567)


@pytest.mark.parametrize(
    ("field", "value", "code"),
    [
        ("draws_per_shard", 0, "SCL-KERNEL-DRAWS"),
        ("draws_per_shard", DRAWS_LIMIT + 1, "SCL-KERNEL-DRAWS"),
        ("bins", 0, "SCL-KERNEL-BINS"),
        ("bins", BINS_LIMIT + 1, "SCL-KERNEL-BINS"),
        ("pivot", 1e39, "SCL-KERNEL-RANGE"),
        ("scale", 1e-60, "SCL-KERNEL-RANGE"),
        ("high", -1.0 + 1e-60, "SCL-KERNEL-RANGE"),
    ],
)
def test_what_no_kernel_can_do_is_refused(field: str, value: float, code: str) -> None:
    with pytest.raises(ScellisError) as caught:
        lower(PROGRAM, SampleSpec(**{**_fields(SPEC), field: value}), "prod", CONFIG)
    assert caught.value.code == code


def test_an_undeclared_tier_is_refused() -> None:
    with pytest.raises(ScellisError) as caught:
        lower(PROGRAM, SPEC, "", CONFIG)
    assert caught.value.code == "SCL-KERNEL-TIER"


@pytest.mark.parametrize("row", KERNEL_TABLE)
@pytest.mark.parametrize("draws", [1, 4097, 65_536, DRAWS_LIMIT])
def test_no_thread_adds_up_more_than_tolerances_assume(row: str, draws: int) -> None:
    config = KERNEL_TABLE[row]
    threads = config.workgroup * config.groups_per_shard(draws)
    assert -(-draws // threads) <= config.draws_per_thread <= DRAWS_PER_THREAD_LIMIT
    assert config.draws_per_thread + config.workgroup.bit_length() + 2 <= ACCUMULATION_DEPTH
    assert config.workgroup & (config.workgroup - 1) == 0


def test_debug_has_one_kernel_on_every_adapter() -> None:
    software, card = {"description": "SwiftShader Device"}, {"vendor": "nvidia", "architecture": "hopper"}
    assert choose_config("debug", software) == choose_config("debug", card)
    assert choose_config("prod", software) != choose_config("prod", card)


@pytest.mark.parametrize(
    ("info", "expected"),
    [
        ({"vendor": "google", "architecture": "swiftshader"}, "software"),
        ({"vendor": "llvmpipe", "device": "llvmpipe (LLVM 15.0.6, 256 bits)"}, "software"),
        ({"vendor": "microsoft", "description": "Microsoft Basic Render Driver"}, "software"),
        ({"vendor": "nvidia", "fallback": True}, "software"),
        ({"vendor": "nvidia", "architecture": "hopper", "fallback": False}, "gpu"),
        ({}, "gpu"),
    ],
)
def test_software_adapters_are_told_from_gpus(info: dict[str, object], expected: str) -> None:
    assert adapter_class(info) == expected


def test_groups_cover_a_shard() -> None:
    assert KernelConfig(64, 256, "shift").groups_per_shard(16_385) == 2


def test_normals_take_two_words() -> None:
    assert emit_draw(trace(lambda x: x, x=normal(0, 1))).count("uniform_from_word") == 2

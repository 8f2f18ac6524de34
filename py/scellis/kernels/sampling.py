"""Lowers a program to the one kernel that draws, evaluates and accumulates whole shards of it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cached_property

import attrs
import numpy as np

from scellis.content import address, canonical_json
from scellis.errors import ScellisError
from scellis.graph import Graph
from scellis.kernels.config import KernelConfig
from scellis.kernels.emit import emit_blocks, emit_draw, to_f32
from scellis.kernels.spec import SampleSpec
from scellis.kernels.templates import assemble
from scellis.rng import key_words

DRAWS_LIMIT = 2**22
"""Draws a shard may have: counts stay exact in f32, which the merge of moments divides by."""

BINS_LIMIT = 3072
"""Bins a histogram may have: with the moments of 256 threads they fit the 16 KiB that every adapter has."""

ENTRY_POINT = "sample"
TIERS = ("debug", "prod", "fast")
EXTRA_SLOTS = 3  # below, above, not finite
MOMENTS = np.dtype([("count", "<u4"), ("mean", "<f4"), ("m2", "<f4")])
"""What one workgroup leaves."""


@attrs.frozen(slots=False)
class SampleKernel:
    """A lowered program, its pipeline's overrides, and how many workgroups take a shard."""

    wgsl: str
    constants: Mapping[str, float]
    spec: SampleSpec
    groups_per_shard: int

    @property
    def moments_bytes(self) -> int:
        """Bytes of one shard's moments: one row a workgroup."""
        return self.groups_per_shard * MOMENTS.itemsize

    @property
    def histogram_bytes(self) -> int:
        """Bytes of one shard's histogram with its extra slots."""
        return (self.spec.bins + EXTRA_SLOTS) * 4

    @cached_property
    def address(self) -> str:
        """The content address of text and constants."""
        return address(canonical_json({"wgsl": self.wgsl, "constants": dict(self.constants)}))


def lower(graph: Graph, spec: SampleSpec, tier: str, config: KernelConfig) -> SampleKernel:
    """The kernel of `graph` for shards as `spec` says.

    Raises `SCL-KERNEL-TIER`, `SCL-KERNEL-DRAWS`, `SCL-KERNEL-BINS`, and `SCL-KERNEL-RANGE` for a number that
    f32 cannot hold.
    """
    _check(spec, tier)
    groups = config.groups_per_shard(spec.draws_per_shard)
    sizes = {"WORKGROUP": config.workgroup, "GROUPS": groups, "BINS": spec.bins}
    wgsl = assemble(
        "sample_moments.wgsl",
        includes={
            "words": f"words_{config.words}.wgsl",
            "elementary": "elementary_fast.wgsl" if tier == "fast" else "elementary.wgsl",
        },
        puts={
            "CONSTANTS": "\n".join(f"const {name} = {size}u;" for name, size in sizes.items()),
            "BLOCKS": emit_blocks(graph),
            "DRAW": emit_draw(graph),
        },
    )
    key = key_words(spec.seed)
    constants = {
        "KEY_0": key[0],
        "KEY_1": key[1],
        "FAMILY": spec.family,
        "DRAWS": spec.draws_per_shard,
        "LOW": to_f32(spec.low),
        "BINS_PER_UNIT": to_f32(spec.bins / (spec.high - spec.low) if spec.low < spec.high else math.inf),
        "PIVOT": to_f32(spec.pivot),
        "PER_SCALE": to_f32(1.0 / spec.scale),
    }
    return SampleKernel(wgsl, constants, spec, groups)


def _check(spec: SampleSpec, tier: str) -> None:
    if tier not in TIERS:
        raise ScellisError(
            "SCL-KERNEL-TIER", f"There is no determinism tier {tier!r}.", f"Known: {', '.join(TIERS)}."
        )
    if not 1 <= spec.draws_per_shard <= DRAWS_LIMIT:
        raise ScellisError(
            "SCL-KERNEL-DRAWS",
            f"A shard of {spec.draws_per_shard} draws does not fit a GPU kernel.",
            f"Take 1 to {DRAWS_LIMIT} draws a shard.",
            draws=spec.draws_per_shard,
        )
    if not 1 <= spec.bins <= BINS_LIMIT:
        raise ScellisError(
            "SCL-KERNEL-BINS",
            f"A histogram of {spec.bins} bins does not fit a workgroup's memory.",
            f"Take 1 to {BINS_LIMIT} bins.",
            bins=spec.bins,
        )

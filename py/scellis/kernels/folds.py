"""How a workgroup joins what its threads have gathered: over shared memory or, in fast, by subgroups."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable

import attrs

from scellis.kernels.expressions import WGSL_TYPES
from scellis.kernels.templates import read_wgsl

FEATURES = ("subgroups", "subgroup_id")
"""What a device needs: WebGPU's feature, and WGSL's, which numbers a workgroup's subgroups. Which threads are
together WebGPU does not say, so no kernel counts on it."""
LEAST_SIZE = {"gpu": 16}
"""The smallest subgroups that are used, by class of adapter: of smaller ones a workgroup has more than
fold.wgsl has parts. A processor that plays a GPU uses none, for it gains nothing (docs/bench/arrays.md)."""
SIZES = (4, 8, 16, 32, 64, 128)
"""The sizes that there are."""
BUILTINS = {
    "member": "@builtin(subgroup_invocation_id) member: u32,",
    "subgroup": "@builtin(subgroup_id) subgroup: u32,",
    "subgroups": "@builtin(num_subgroups) subgroups: u32,",
}
"""What a kernel that folds by subgroups is given besides."""


def has_subgroups(features: Container[str], adapter: str) -> bool:
    """Whether a device of a class has subgroups, and does not say that they may be too small."""
    if adapter not in LEAST_SIZE or not all(name in features for name in FEATURES):
        return False
    small = (f"subgroups from {size}" for size in SIZES if size < LEAST_SIZE[adapter])
    return not any(said in features for said in small)


@attrs.frozen
class Fold:
    """One way: the file of its function, what that is given, and what it calls."""

    file: str
    given: tuple[str, ...]
    called: str = ""

    def declared(self, number: object = "") -> str:
        """Its declarations; `number` tells several of a kernel apart."""
        text = f"{self.called}{read_wgsl(self.file)}"
        return re.sub(r"\b(Accumulator|tree|PARTS|parts|fold|united|combine)\b", rf"\g<1>{number}", text)

    def whole(self, gathered: str, number: object = "") -> str:
        """What all threads have gathered together."""
        return f"fold{number}({', '.join(self.given)}, {gathered})"


def fold_of(op: str, dtype: str, *, subgroups: bool) -> Fold:
    """How a reduction over elements of `dtype` is joined; argmax and argmin are over shared memory always."""
    united = _united(op, WGSL_TYPES[dtype]) if subgroups else ""
    if not united:
        return Fold("fold.wgsl", ("thread",))
    called = f"fn united(x: Accumulator) -> Accumulator {{ return {united}; }}\n\n"
    return Fold("fold_subgroups.wgsl", tuple(BUILTINS), called)


def builtins(folds: Iterable[Fold]) -> str:
    """The parameters of a kernel that has these."""
    given = {name for fold in folds for name in fold.given}
    return "\n".join(text for name, text in BUILTINS.items() if name in given)


def _united(op: str, kind: str) -> str:
    """What the values `x` of a subgroup make together, nothing where WGSL cannot say it."""
    return {
        "sum": "subgroupAdd(x)",
        "prod": "subgroupMul(x)",
        "max": "greatest_of_subgroup(x)" if kind == "f32" else "subgroupMax(x)",
        "min": "least_of_subgroup(x)" if kind == "f32" else "subgroupMin(x)",
        "any": "subgroupAny(x)",
        "all": "subgroupAll(x)",
    }.get(op, "")

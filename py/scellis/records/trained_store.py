"""Records of trainings in a store: each with its history in one reference: both are there or neither.

A run's record is written anew with each checkpoint, in the place of the one before.
"""

from __future__ import annotations

import re

import attrs

from scellis.content import address
from scellis.content.store import Store
from scellis.errors import ScellisError
from scellis.records.trained import RECORD_LIMIT_BYTES, TrainedRun
from scellis.train.history import HISTORY_LIMIT_BYTES, History

REF = "trained-"
SHOWN = 12
"""Hexadecimal digits by which a run is named to a person."""
NAMED_LIMIT = 8
"""Runs that an error names."""
_PREFIX = re.compile(r"[0-9a-f]{1,64}")
_DAMAGED = ("SCL-RECORD-", "SCL-CONTENT-", "SCL-CHECKPOINT-", "SCL-STORE-DAMAGED")


@attrs.frozen
class KeptRun:
    """A record that is kept, under the reference `ref`, with what the run told."""

    ref: str
    run: TrainedRun
    history: History

    @property
    def short(self) -> str:
        """Its address as it is shown."""
        return self.run.address.removeprefix("sha256:")[:SHOWN]

    @property
    def named(self) -> str:
        """Its address and model, for a sentence."""
        return f"{self.short} ({self.run.model}, step {self.run.step})"


def new_ref(training: str, begun_s: float) -> str:
    """The reference of a run that begins now, of the training's record at an address."""
    return f"{prefix_of(training)}{max(0, round(begun_s * 1000)):015d}"


def prefix_of(training: str) -> str:
    """What the references of a training's runs begin with; sorted, the one begun last is the last."""
    return f"{REF}{training.removeprefix('sha256:')[:32]}-"


async def keep_run(store: Store, ref: str, run: TrainedRun, history: History) -> None:
    """Keep a record in the place of what the reference held. Raises `SCL-STORE-FULL`."""
    await store.set_ref(ref, run.to_bytes() + b"\n" + history.to_bytes())


async def load_run(store: Store, ref: str) -> KeptRun | None:
    """The run of a reference; None where nothing is kept. Raises `SCL-RECORD-FORM` for what is damaged."""
    data = await store.get_ref(ref)
    if data is None:
        return None
    if len(data) > RECORD_LIMIT_BYTES + HISTORY_LIMIT_BYTES:
        raise ScellisError("SCL-RECORD-FORM", f"What is kept as {ref} is too long for a run.")
    record, _, told = data.partition(b"\n")  # canonical JSON has no line ends
    found = KeptRun(ref, TrainedRun.from_bytes(record), History.from_bytes(told))
    if address(told) != found.run.curve:
        raise ScellisError("SCL-RECORD-FORM", f"The curve kept as {ref} is not that of its run.")
    return found


async def forget_run(store: Store, run: KeptRun) -> None:
    """Forget a run's record; its checkpoints stay."""
    await store.delete_ref(run.ref)


async def kept_runs(store: Store) -> tuple[list[KeptRun], list[str]]:
    """All runs, the one that ended last first, and the references of those that are damaged."""
    found, damaged = [], []
    for ref in await store.refs(REF):
        try:
            run = await load_run(store, ref)
        except ScellisError as error:
            if not error.code.startswith(_DAMAGED):
                raise
            damaged.append(ref)
            continue
        if run is not None:
            found.append(run)
    return sorted(found, key=lambda kept: -kept.run.ended_s), damaged


async def find_run(store: Store, name: str) -> KeptRun:
    """The run whose address begins so. Raises `SCL-RUN-UNKNOWN`, `SCL-RUN-AMBIGUOUS`, naming candidates."""
    runs, _ = await kept_runs(store)
    digits = name.removeprefix("sha256:")
    fits = [
        run
        for run in runs
        if _PREFIX.fullmatch(digits) and run.run.address.removeprefix("sha256:").startswith(digits)
    ]
    if len(fits) == 1:
        return fits[0]
    if fits:
        raise ScellisError(
            "SCL-RUN-AMBIGUOUS",
            f"{len(fits)} runs begin with {digits!r}: {_names(fits)}.",
            "Give more digits.",
        )
    raise ScellisError(
        "SCL-RUN-UNKNOWN",
        f"No training that is kept here has an address that begins with {digits[:80]!r}.",
        f"Kept: {_names(runs)}." if runs else "None is kept here yet: train one, or name its folder.",
    )


def _names(runs: list[KeptRun]) -> str:
    more = [f"and {len(runs) - NAMED_LIMIT} more"] if len(runs) > NAMED_LIMIT else []
    return ", ".join([*(run.named for run in runs[:NAMED_LIMIT]), *more])

"""Runs that this device knows of: enough to list them, resume them and show their records."""

from __future__ import annotations

from typing import Any

import attrs
import cattrs

from scellis.app.models import Model
from scellis.content import Store, canonical_json, parse_json
from scellis.errors import ScellisError

_PREFIX = "run-"
_LIMIT_BYTES = 256 * 1024
_converter = cattrs.Converter(forbid_extra_keys=True)


@attrs.frozen
class SavedRun:
    """One run. `pool` computes it; `owner` and `remote` say whose pool it is and where its machine runs.

    `fragment` is the run URL's, once there is one.
    """

    job: str
    title: str
    state: str
    updated_s: float
    pool: str
    remote: bool
    owner: bool
    invite: str = ""
    text: str = ""
    example: str = ""
    fragment: str = ""

    def model(self) -> Model:
        """One row of the list of runs."""
        return {
            "address": self.pool,
            "job_address": self.job,
            "title": self.title,
            "state": self.state,
            "updated": self.updated_s,
            "pooled": self.remote,
            "example": self.example or None,
            "url": "#" + self.fragment if self.fragment else None,
        }


async def save_run(store: Store, run: SavedRun) -> None:
    """Remember a run, in the place of what was known of it."""
    await store.set_ref(_PREFIX + run.pool, canonical_json(attrs.asdict(run)))


async def load_run(store: Store, pool: str) -> SavedRun:
    """A run by its pool. Raises `SCL-RUN-UNKNOWN`."""
    data = await store.get_ref(_PREFIX + pool)
    run = _read(data) if data is not None else None
    if run is None:
        raise ScellisError("SCL-RUN-UNKNOWN", "This device keeps no such run.", "Start it anew.")
    return run


async def saved_runs(store: Store) -> list[SavedRun]:
    """All runs, interrupted ones first, then the latest first; what is damaged is left out."""
    runs = [_read(await store.get_ref(name) or b"") for name in await store.refs(_PREFIX)]
    known = [run for run in runs if run is not None]
    return sorted(known, key=lambda run: (run.state == "done", -run.updated_s))


def _read(data: bytes) -> SavedRun | None:
    try:
        value: Any = parse_json(data, what="saved run", limit_bytes=_LIMIT_BYTES)
        return _converter.structure(value, SavedRun)
    except (ScellisError, cattrs.ClassValidationError):
        return None

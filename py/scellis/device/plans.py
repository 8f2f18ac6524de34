"""Plans that a store keeps from one opening of a page to the next, under the hash of all they hang on."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence

import attrs

from scellis import ENGINE_VERSION
from scellis.content import Store, address
from scellis.errors import ScellisError
from scellis.graph.graph import Graph
from scellis.kernels.kept import plan_from_bytes, plan_to_bytes
from scellis.kernels.plan import ArrayPlan, plan_graph
from scellis.kernels.table import kernel_table_address

KEPT = 64
"""Plans that are kept; the oldest makes room."""
ENTRY_LIMIT = 2 * 1024 * 1024
"""Bytes of one. That of a transformer of two layers, forward and backward, has 58 000."""
LAST = 10**10 - 1
"""The largest number of an entry: names have ten digits."""
_PREFIX = "plan-"
_NAME = re.compile(r"plan-([0-9]{10})-([0-9a-f]{64})")
_DIGEST_BYTES = hashlib.sha256().digest_size
ENTRY_BYTES = _DIGEST_BYTES + ENTRY_LIMIT
"""Bytes of one with the hash before it: a store need not read more."""


@attrs.frozen
class Asked:
    """What a plan is asked for beside its graph; see `plan_graph`."""

    limits: Mapping[str, int]
    tier: str
    carry: Mapping[int, int]
    adapter: str
    features: Sequence[str]
    flags: int
    fused: bool

    def plan(self, graph: Graph) -> ArrayPlan:
        """The plan of a graph. Raises `SCL-KERNEL-*`, `SCL-GRAPH-CARRY`."""
        return plan_graph(
            graph,
            self.limits,
            self.tier,
            self.carry,
            self.adapter,
            self.features,
            flags=self.flags,
            fused=self.fused,
        )


class Plans:
    """Looks a plan up before it is made, and keeps it after.

    An entry is one value of the store, written at once, with the hash of its bytes. One that is damaged, or a
    store that fails, costs the time to plan and is said in the plan's notices. `build` names the code that
    plans, where its version does not.
    """

    def __init__(self, store: Store, build: str = "") -> None:
        self._store = store
        self._build = build

    async def plan(self, graph: Graph, asked: Asked) -> ArrayPlan:
        """`asked.plan(graph)`, kept or made. The places of nodes count too: errors name them."""
        key = self._key(graph, asked)
        notices: list[str] = []
        try:
            names = await self._names()
            found = [name for name in names if name.endswith(key)]
            if found and (entry := await self._store.get_ref(found[-1])) is not None:
                return plan_from_bytes(_checked(key, entry))
        except (ScellisError, OSError) as error:
            notices.append(f"A kept plan could not be used and is made anew: {_message(error)}")
        plan = asked.plan(graph)
        try:
            await self._keep(key, plan)
        except (ScellisError, OSError) as error:
            notices.append(f"The plan is not kept for the next time: {_message(error)}")
        return attrs.evolve(plan, notices=(*plan.notices, *notices)) if notices else plan

    def _key(self, graph: Graph, asked: Asked) -> str:
        on = {
            "asked": attrs.asdict(asked),
            "engine": [ENGINE_VERSION, self._build, kernel_table_address()],
            "graph": graph.listing(),
        }
        # Not canonical JSON, whose names are text: what is carried is by numbers.
        return address(json.dumps(on, sort_keys=True).encode()).removeprefix("sha256:")

    async def _names(self) -> list[str]:
        """Of all entries, the oldest first."""
        return [name for name in await self._store.refs(_PREFIX) if _NAME.fullmatch(name)]

    async def _keep(self, key: str, plan: ArrayPlan) -> None:
        data = plan_to_bytes(plan)
        if len(data) > ENTRY_LIMIT:
            raise ScellisError("SCL-KERNEL-KEPT", f"It has {len(data)} bytes, more than {ENTRY_LIMIT}.")
        names = await self._names()
        number = int(names[-1].split("-")[1]) + 1 if names else 0
        outdated = [name for name in names if name.endswith(key)]
        if number > LAST:  # of a name that none of us has given: begin anew
            number, outdated = 0, names
        await self._store.set_ref(f"{_PREFIX}{number:010}-{key}", _digest(key, data) + data)
        for name in dict.fromkeys([*names[: 1 - KEPT], *outdated]):
            await self._store.delete_ref(name)


def _message(error: ScellisError | OSError) -> str:
    """What a store or an entry is said to have; of a folder, the system says it."""
    return error.message if isinstance(error, ScellisError) else f"{error}."


def _digest(key: str, data: bytes) -> bytes:
    """Of a plan under its key: another's bytes are none of its."""
    return hashlib.sha256(key.encode() + data).digest()


def _checked(key: str, entry: bytes) -> bytes:
    """The bytes of a plan. Raises `SCL-KERNEL-KEPT` where they are not those that were written."""
    digest, data = entry[:_DIGEST_BYTES], entry[_DIGEST_BYTES:]
    if len(data) > ENTRY_LIMIT or _digest(key, data) != digest:
        raise ScellisError("SCL-KERNEL-KEPT", "Its bytes are not those that were written.")
    return data

"""Ways into a pool: of this device alone, at the page's coordinator as its owner, or by invitation."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager

from scellis import ENGINE_VERSION
from scellis.app.membership import Membership
from scellis.app.models import Model
from scellis.app.saved import SavedRun
from scellis.app.world import World
from scellis.errors import ScellisError
from scellis.job import Job, check_poolable
from scellis.pool.header import check_answer, keep_header
from scellis.pool.identity import invite_commitment, open_message
from scellis.pool.local import Place, open_local
from scellis.pool.messages import PROTOCOL, OpenRequest
from scellis.pool.peer import Identity, Peer
from scellis.pool.ports import Participant

CHECK_RATE = 1 / 32
"""The share of each batch that is executed again, at least one shard of it."""

_LINK = re.compile(r"pool=([0-9a-f]{32})\.([0-9a-f]{32})")
_CONSENT = "consent"

Entry = AbstractAsyncContextManager[Place]
"""Entered, it gives the pool's name and the maker of this device's peer."""


class Pooling:
    """Opens and enters pools."""

    def __init__(self, world: World) -> None:
        self._world = world

    def alone(self, job: Job, device: str, resume: str = "") -> Entry:
        """A pool of this device alone, new or gone on with."""
        world = self._world
        return open_local(
            world.store,
            engine=ENGINE_VERSION,
            job=job.to_bytes(),
            shards=job.partition.shards,
            check_rate=CHECK_RATE,
            label=world.network.label,
            device=device,
            clock=world.clock,
            entropy=world.entropy,
            resume=resume,
        )

    async def create(self, job: Job) -> tuple[str, str]:
        """A new pool at the page's coordinator: its name and its invite token.

        Raises `SCL-POOL-NONE` where the page was served without a coordinator, `SCL-POOL-FORGED` where
        the coordinator makes another pool than the one that was asked for.
        """
        check_poolable(job)
        network = self._world.network
        invite = self._world.entropy(16).hex()
        request = OpenRequest(
            protocol=PROTOCOL,
            engine=ENGINE_VERSION,
            job=job.address,
            shards=job.partition.shards,
            policy=job.policy,
            owner=network.signer.key,
            invite=invite_commitment(invite),
            check_rate=CHECK_RATE,
        )
        signature = await network.signer.sign(open_message(request))
        header = await network.open_pool(request, signature)
        check_answer(request, header)
        await keep_header(self._world.store, header)
        return header.pool, invite

    @asynccontextmanager
    async def join(self, pool: str, invite: str, device: str) -> AsyncIterator[Place]:
        """A pool at the page's coordinator, as its owner or by invitation."""
        world, network = self._world, self._world.network
        identity = Identity(
            engine=ENGINE_VERSION,
            pool=pool,
            session=world.entropy(16).hex(),
            store_id=network.store_id,
            label=network.label,
            device=device,
            invite=invite,
        )

        def make(participant: Participant) -> Peer:
            return Peer(
                identity,
                connect=network.connect(),
                data=network.data_plane(),
                store=world.store,
                clock=world.clock,
                signer=network.signer,
                participant=participant,
            )

        yield Place(pool, make)

    # ---- invitations and consent ----

    def parse_link(self, link: str) -> tuple[str, str]:
        """Pool and invite token of an invitation. Raises `SCL-POOL-LINK`."""
        match = _LINK.fullmatch(link.rpartition("#")[2])
        if match is None:
            raise ScellisError("SCL-POOL-LINK", "This is not an invitation link.", "Copy the whole address.")
        return match[1], match[2]

    async def consented(self) -> bool:
        """Whether the person at this device agreed to compute for pools, here and once."""
        return await self._world.store.get_ref(_CONSENT) == b"given"

    async def remember_consent(self, given: bool) -> None:
        """Keep the answer."""
        await self._world.store.set_ref(_CONSENT, b"given" if given else b"withdrawn")

    # ---- showing ----

    def model(self, membership: Membership, run: SavedRun) -> Model:
        """The pool's view model."""
        peer = membership.peer
        rows = peer.view.peers.values() if peer.view is not None else ()
        return {
            "state": _shown_state(membership),
            "title": membership.job.labels.title if membership.job is not None else None,
            "draws": membership.job.draws if membership.job is not None else None,
            "link": self._world.network.link(run.pool, run.invite) if run.owner else None,
            "peers": [
                {
                    "no": row.no,
                    "label": row.label,
                    "you": row.no == peer.no,
                    "owner": row.owner,
                    "consent": row.consent,
                    "live": row.live,
                    "aside": row.aside,
                    "kind": row.device,
                    "rate": row.rate * _draws_per_shard(membership),
                    "shards": row.shards,
                }
                for row in rows
            ],
            "board": {"shards": peer.view.shards, "cells": peer.view.board()} if peer.view else None,
            "notices": list(membership.notices),
        }


def _shown_state(membership: Membership) -> str:
    state = membership.peer.state
    if membership.error is not None:
        return "none"
    if membership.owner and state in ("joined", "waiting-consent"):
        return "open"
    if membership.asked and state == "waiting-consent":
        return "watching"
    return {"left": "none"}.get(state, state)


def _draws_per_shard(membership: Membership) -> int:
    return membership.job.partition.draws_per_shard if membership.job is not None else 1

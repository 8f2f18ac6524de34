"""The peer: joins a pool, pulls work and does it, keeps what it is asked to keep, and folds the result.

All of the world is behind ports. It survives lost connections and coordinators: what was computed is
committed when the coordinator is back, and counts if its lease still stands.
"""

from __future__ import annotations

import asyncio
from typing import Any

import attrs

from scellis.content import Store
from scellis.errors import ScellisError, as_scellis_error
from scellis.pool import messages as m
from scellis.pool.digests import digest_of, pack
from scellis.pool.folding import Folding, Row, states_of
from scellis.pool.header import keep_header
from scellis.pool.identity import Signer, join_message
from scellis.pool.ports import Clock, Compute, Connect, DataPlane, Participant, Transport
from scellis.pool.shelf import Shelf
from scellis.pool.view import View
from scellis.pool.wire import protocol_error
from scellis.pool.work import DELIVER_S, NoCompute, Work

BEAT_S = 5.0
LEAVE_S = 5.0
"""how long a device that is to leave may take to end what it is at"""
RETRY_S = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0)


@attrs.frozen(kw_only=True)
class Identity:
    """Who joins what. `session` names this start, `store_id` the store that keeps the states."""

    engine: str
    pool: str
    session: str
    store_id: str
    label: str
    device: str
    invite: str = ""


class Peer:
    """One device in one pool.

    The participant hears of: `state`, `board`, `accepted` and `reopened` (shards), `lease`, `noted`,
    `notice`, `complete`, `result` (address), `sealed` (address, findings of the audit), `fault` (an error).
    A peer that lingers stays after the sealing, so that others can fetch from it, until `stop`.
    """

    def __init__(
        self,
        identity: Identity,
        *,
        connect: Connect,
        data: DataPlane,
        store: Store,
        clock: Clock,
        signer: Signer,
        participant: Participant,
        audit: bool = True,
        linger: bool = True,
    ) -> None:
        self.identity = identity
        self.shelf = Shelf(store, identity.pool)
        self.state = "joining"
        self.no = 0
        self.header: m.PoolHeader | None = None
        self.view: View | None = None
        self.folding: Folding | None = None
        self.work: Work | None = None
        self.given = False
        self._connect = connect
        self._data = data
        self._store = store
        self._clock = clock
        self._signer = signer
        self._app = participant
        self._audit = audit
        self._linger = linger
        self._transport: Transport | None = None
        self._welcomed = False
        self._ready = asyncio.Event()  # to send: welcomed, or leaving without being so
        self._informed = asyncio.Event()  # of the job
        self._changed = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()
        self._inbox: list[m.Lease | m.Check | m.Referee] = []
        self._unnoted: list[m.Commit] = []
        self._asked = False
        self._stopped = asyncio.Event()
        self._concluded = False
        self._keeping = asyncio.Lock()

    # ---- what the app calls ----

    async def run(self) -> None:
        """Be in the pool until `stop` is called, or, where the peer does not linger, until it is sealed.

        Raises what ended it: a final refusal (`SCL-POOL-INVITE`, `-ENGINE`, `-VERSION`, `-REPLACED`, …) or a
        fault of this device (`SCL-GPU-*`).
        """
        await self.shelf.load()
        worker = asyncio.ensure_future(self._work_loop())
        session = asyncio.ensure_future(self._sessions())
        ends = {worker, session, asyncio.ensure_future(self._stop_in_time())}
        pending = {*ends, asyncio.ensure_future(self._inform())}
        try:
            while ends <= pending:
                done, pending = await asyncio.wait(pending, return_when=asyncio.FIRST_COMPLETED)
                for part in done:
                    part.result()
        finally:
            for task in (*pending, *self._tasks):
                task.cancel()
            await asyncio.gather(*pending, *self._tasks, return_exceptions=True)
            if self._stopping:
                self._set_state("left")
            await self._close()
            await self._data.close()

    async def consent(self, given: bool) -> None:
        """Say whether this device may compute; without it, it gets no lease."""
        self.given = given
        self._asked = False
        self._poke()
        if self._welcomed:
            await self._send(m.Consent(given=given))
            self._set_state("joined" if given else "waiting-consent")

    async def stop(self) -> None:
        """Leave: unstarted shards are given back, what is computed is committed if there is a connection."""
        self._stopped.set()
        self._ready.set()
        self._poke()

    @property
    def _stopping(self) -> bool:
        return self._stopped.is_set()

    async def _stop_in_time(self) -> None:
        """What is under way when it is to stop, for instance a fetch from a device that is gone, may end."""
        await self._stopped.wait()
        await self._clock.sleep(LEAVE_S)

    # ---- connection ----

    async def _sessions(self) -> None:
        tries = 0
        while not self._over():
            try:
                await self._session()
                tries = 0
            except ScellisError as error:
                if error.code != "SCL-POOL-LOST":
                    raise
                tries = 0 if self._welcomed else tries
            self._welcomed = False
            if not self._stopping:
                self._ready.clear()
            await self._close()
            if not self._over():
                self._set_state("lost")
                await self._clock.sleep(RETRY_S[min(tries, len(RETRY_S) - 1)])
                tries += 1

    def _over(self) -> bool:
        return self.state == "left" or (self.state == "sealed" and not self._linger)

    async def _session(self) -> None:
        self._transport = await self._connect()
        await self._join(self._transport)
        beat = asyncio.ensure_future(self._beat())
        try:
            while not self._over():
                await self._take(m.read_to_peer(await self._transport.receive()))
        finally:
            beat.cancel()

    async def _join(self, transport: Transport) -> None:
        identity = self.identity
        hello = m.Hello(
            protocol=m.PROTOCOL,
            engine=identity.engine,
            pool=identity.pool,
            key=self._signer.key,
            session=identity.session,
            store=identity.store_id,
            durable=self._store.durable,
            label=identity.label[:60],
            device=identity.device,
            invite=identity.invite,
        )
        await transport.send(m.encode(hello))
        challenge = m.read_to_peer(await transport.receive())
        if isinstance(challenge, m.Refused):
            self._refused(challenge)
        if not isinstance(challenge, m.Challenge):
            raise protocol_error("the coordinator does not answer a hello", kind=challenge.kind)
        signature = await self._signer.sign(join_message(hello, challenge.nonce))
        await transport.send(m.encode(m.Prove(signature=signature)))

    async def _beat(self) -> None:
        while True:
            await self._clock.sleep(BEAT_S)
            await self._send(m.Beat())

    async def _send(self, message: m.FromPeer) -> None:
        """Send when there is a connection; what a lost one swallowed is made again after the welcome."""
        await self._ready.wait()
        if self._welcomed and self._transport is not None:
            try:
                await self._transport.send(m.encode(message))
            except ScellisError as error:
                if error.code != "SCL-POOL-LOST":
                    raise

    async def _close(self) -> None:
        transport = self._transport
        if transport is not None:
            await transport.close()  # may be cancelled, and is then called again when the peer ends
            if self._transport is transport:
                self._transport = None

    # ---- messages ----

    async def _take(self, message: m.ToPeer) -> None:
        if isinstance(message, m.Welcome):
            await self._welcome(message)
        elif isinstance(message, m.Refused):
            self._refused(message)
        elif not self._welcomed or self.view is None or self.folding is None:
            raise protocol_error(f"{message.kind!r} before the welcome", kind=message.kind)
        elif isinstance(message, m.Lease | m.Check | m.Referee):
            self._inbox.append(message)
            self._poke()
        elif isinstance(message, m.Keep):
            await self.folding.other(message)
            self._spawn(self._keep(message))
        elif isinstance(message, m.Noted):
            await self._noted(message, self.folding)
        elif isinstance(message, m.Board):
            self._board(message, self.view)
        elif isinstance(message, m.Signalled):
            self._spawn(self._data.signalled(message.sender, message.data))
        elif isinstance(message, m.Table):
            await self._table(message, self.folding)
        elif isinstance(message, m.Complete):
            self._app.heard("complete", {})
            await self._want()
        elif isinstance(message, m.Sealed):
            self._sealed(message, self.folding)
        elif isinstance(message, m.Notice):
            self.view.notices.append(message)
            self._app.heard("notice", {"id": message.id, "peer": message.peer, "shard": message.shard})
        elif not isinstance(message, m.Wait):  # work is sent when there is some
            raise protocol_error(f"{message.kind!r} has no place here", kind=message.kind)

    async def _welcome(self, message: m.Welcome) -> None:
        header = message.header
        if header.pool != self.identity.pool or header.engine != self.identity.engine:
            raise ScellisError("SCL-POOL-ENGINE", "The coordinator welcomes to another pool or engine.")
        await keep_header(self._store, header)
        self.no, self.header = message.no, header
        if self.view is None:
            self.view = View(header.shards)
            keep = self._store if self._audit and self._signer.key == header.owner else None
            self.folding = Folding(header, self._signer.key, keep)
            await self.folding.load()
        self._data.open(message.no, self._read, self._signal)
        self._asked = False
        self._welcomed = True
        self._ready.set()
        await self._send(m.Consent(given=self.given))
        for commit in self._unnoted:
            await self._send(commit)
        self._set_state("joined" if self.given else "waiting-consent")
        self._poke()

    def _refused(self, message: m.Refused) -> None:
        error = refusal(message)
        if message.final:
            raise error
        if message.code == "SCL-POOL-LEASE":
            self._unnoted.clear()
        if message.code != "SCL-POOL-AWAY":  # whom it signals to has just gone; the fetch says what follows
            self._app.heard("fault", {"error": error})
        if not self._welcomed:  # not now; perhaps when this device comes back
            raise ScellisError("SCL-POOL-LOST", error.message)

    async def _noted(self, message: m.Noted, folding: Folding) -> None:
        commit = next((commit for commit in self._unnoted if commit.first == message.first), None)
        if commit is not None:
            self._unnoted.remove(commit)
            if message.batch:
                await folding.own(message, commit)
        self._app.heard(
            "noted", {"batch": message.batch, "duplicate": message.duplicate, "late": message.late}
        )

    def _board(self, message: m.Board, view: View) -> None:
        accepted, reopened = view.apply(message, self._clock.now_s())
        self._app.heard("board", {})
        if reopened:
            self._app.heard("reopened", {"shards": reopened})
        if accepted:
            self._app.heard("accepted", {"shards": accepted})

    async def _table(self, message: m.Table, folding: Folding) -> None:
        if not folding.take(message):
            return
        table = folding.table()
        if table is None:
            await self._send(m.Want(first=folding.wanted))
        else:
            self._spawn(self._finish(table))

    def _sealed(self, message: m.Sealed, folding: Folding) -> None:
        if not folding.sealed:  # else told again, after a reconnection
            folding.seal(message)
            self._set_state("sealed")
            self._conclude()

    def _conclude(self) -> None:
        """Tell of the sealing once this device has folded the result itself and can compare."""
        assert self.folding is not None
        assert self.view is not None
        if self.folding.sealed and self.folding.result and not self._concluded:
            self._concluded = True
            findings = self.folding.audit(self.view)
            self._app.heard("sealed", {"address": self.folding.sealed, "findings": findings})

    async def _signal(self, to: int, data: str) -> None:
        await self._send(m.Signal(to=to, data=data))

    async def _read(self, name: str) -> bytes | None:
        """What other members may have: this pool's states and its job, nothing else that the store holds."""
        if self.header is not None and name == self.header.job:
            return await self._store.get(name)
        return await self.shelf.get(name)

    def _spawn(self, work: Any) -> None:
        task = asyncio.ensure_future(self._guard(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _guard(self, work: Any) -> None:
        try:
            await work
        except Exception as error:
            self._app.heard("fault", {"error": as_scellis_error(error)})

    # ---- work ----

    def _poke(self) -> None:
        self._changed.set()

    def _set_state(self, state: str) -> None:
        final = {"sealed": ("left",), "left": ()}  # what still arrives once it has left changes nothing
        if self.state != state and state in final.get(self.state, (state,)):
            self.state = state
            self._app.heard("state", {"state": state})
            self._poke()

    async def _work_loop(self) -> None:
        while not self._over():
            self._changed.clear()
            if self._inbox and self.work is not None:
                await self._do(self._inbox.pop(0))
            elif self._stopping:
                await self._leave()
            elif self._welcomed and self._informed.is_set() and self.given and not self._asked:
                if self.work is None:
                    self.work = self._hands(await self._app.open_compute())
                self._asked = True
                await self._send(m.Ask(rate=self.work.rate))
            else:
                await self._changed.wait()

    async def _do(self, task: m.Lease | m.Check | m.Referee) -> None:
        assert self.work is not None
        if isinstance(task, m.Lease):
            self._app.heard("lease", {"first": task.first, "count": task.count})
            async for answer in self.work.lease(task, lambda: self._stopping or not self.given):
                if isinstance(answer, m.Commit):
                    self._unnoted.append(answer)
                await self._send(answer)
        elif isinstance(task, m.Check):
            for verdict in await self.work.check(task):
                await self._send(verdict)
        else:
            await self._send(await self.work.referee(task))
        self._asked = False

    async def _leave(self) -> None:
        await self._send(m.Bye())
        self._set_state("left")
        await self._close()

    async def _inform(self) -> None:
        """Learn the pool's job, from this device's store or from another member; until there is one."""
        await self._ready.wait()
        while self.header is not None and not self._informed.is_set():
            job = await self._store.get(self.header.job) or await self._fetch_job(self.header.job)
            if job is None:
                await self._clock.sleep(RETRY_S[1])
            else:
                self._app.take_job(job, self.header)
                self._informed.set()
                self._poke()

    async def _fetch_job(self, name: str) -> bytes | None:
        assert self.view is not None
        rows = sorted(self.view.peers.values(), key=lambda row: (not row.owner, row.no))
        for row in rows:
            if row.live and row.no != self.no:
                found = await self._data.fetch(row.no, [name], DELIVER_S)
                if name in found:
                    await self._store.put(found[name])
                    return found[name]
        return None

    async def _keep(self, message: m.Keep) -> None:
        await self._informed.wait()  # to tell states of the job from other bytes
        async with self._keeping:  # one at a time: a channel is not to be asked for everything at once
            await self._send(await self._keeper().keep(message))

    def _keeper(self) -> Work:
        """Something that fetches and keeps, whether this device may compute or not."""
        return self.work or self._hands(NoCompute())

    def _hands(self, compute: Compute) -> Work:
        assert self.view is not None
        return Work(
            self.no, compute, self.shelf, self._data, self._clock, self.view, is_state=self._app.is_state
        )

    # ---- the end ----

    async def _want(self) -> None:
        assert self.folding is not None
        if not self._concluded:
            self.folding.start_table()
            await self._send(m.Want(first=0))

    async def _finish(self, table: list[Row]) -> None:
        """Fetch what is missing of the table, fold it, tell the result; the owner seals."""
        assert self.folding is not None
        assert self.header is not None
        await self._informed.wait()  # a device that only watches may learn the job last
        states = await states_of(table, self._keeper())
        if not self.folding.is_last(table):
            return  # a result was replaced meanwhile; the table that says so is on its way
        if forged := self.folding.uncommitted(table):
            what = (
                f"The coordinator's table has {len(forged)} results that were never committed to this owner."
            )
            self._app.heard("fault", {"error": ScellisError("SCL-POOL-FORGED", what, shard=forged[0])})
        lacking = [shard for shard, state in enumerate(states) if state is None]
        if lacking or forged:
            own = [shard for shard in lacking if self.no in table[shard].holders]
            if own:  # this device's store lost them; others must not wait for it
                await self._send(m.Lost(shards=tuple(own[: m.LEASE_LIMIT])))
            await self._clock.sleep(RETRY_S[2])
            await self._want()  # a holder left meanwhile: the next table names others
            return
        whole = [state for state in states if state is not None]
        await self.shelf.put(whole)  # for latecomers, and for the page
        result = self._app.fold(whole)
        name = await self._store.put(result)
        self.folding.fold(table, name)
        self._app.heard("result", {"address": name, "bytes": result})
        digest = pack(digest_of(name))
        await self._send(m.Result(digest=digest))
        if self._signer.key == self.header.owner:
            await self._send(m.Seal(digest=digest, table=pack(self.folding.table_digest())))
        self._conclude()


def refusal(message: m.Refused) -> ScellisError:
    """The error that a coordinator's refusal is on this device."""
    code = message.code if message.code.startswith("SCL-") else "SCL-POOL-PROTOCOL"
    return ScellisError(code, message.message, message.remedy)

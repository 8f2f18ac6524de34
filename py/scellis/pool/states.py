"""The states of a shard in a pool, and the steps between them. `docs/states.md` is generated from here."""

from __future__ import annotations

from enum import IntEnum


class Cell(IntEnum):
    """Where one shard stands."""

    QUEUED = 0
    LEASED = 1
    STALE = 2
    COMMITTED = 3
    DRAWN = 4
    AGREED = 5
    DISPUTED = 6
    RE_EXECUTED = 7
    BATCH_CHECKED = 8
    REFUSED = 9


MEANING: dict[Cell, str] = {
    Cell.QUEUED: "nobody has it",
    Cell.LEASED: "a peer computes it",
    Cell.STALE: "leased, and its peer has been silent for 15 s",
    Cell.COMMITTED: "its hash is committed and was not drawn; waits for its batch",
    Cell.DRAWN: "drawn: another peer is to execute it again",
    Cell.AGREED: "executed again, the results agree; waits for its batch",
    Cell.DISPUTED: "the two results differ; the WebAssembly oracle decides",
    Cell.RE_EXECUTED: "accepted, and executed twice",
    Cell.BATCH_CHECKED: "accepted with its batch, every drawn shard of which agreed",
    Cell.REFUSED: "its last result was wrong or not delivered; waits to be leased again",
}

SHOWN: dict[Cell, str] = {
    Cell.QUEUED: "queued",
    Cell.LEASED: "leased",
    Cell.STALE: "stale",
    Cell.COMMITTED: "committed",
    Cell.DRAWN: "drawn",
    Cell.AGREED: "drawn",
    Cell.DISPUTED: "drawn",
    Cell.RE_EXECUTED: "re-executed",
    Cell.BATCH_CHECKED: "batch-checked",
    Cell.REFUSED: "refused",
}
"""The names that the page and the record use; a batch is shown as accepted only when all of it is."""

LEASABLE = frozenset({Cell.QUEUED, Cell.REFUSED})
HELD_BY_LEASE = frozenset({Cell.LEASED, Cell.STALE})
IN_BATCH = frozenset(
    {Cell.COMMITTED, Cell.DRAWN, Cell.AGREED, Cell.DISPUTED, Cell.RE_EXECUTED, Cell.BATCH_CHECKED}
)
ACCEPTED = frozenset({Cell.RE_EXECUTED, Cell.BATCH_CHECKED})

STEPS: dict[tuple[Cell, Cell], str] = {
    (Cell.QUEUED, Cell.LEASED): "a peer asks",
    (Cell.REFUSED, Cell.LEASED): "a peer asks",
    (Cell.LEASED, Cell.STALE): "15 s without a word from the peer",
    (Cell.STALE, Cell.LEASED): "the peer is heard again, or an idle peer takes the shard over (epoch + 1)",
    (Cell.LEASED, Cell.LEASED): "an idle peer takes an overdue lease over (epoch + 1)",
    (Cell.LEASED, Cell.QUEUED): "given back, or its peer left (epoch + 1)",
    (Cell.STALE, Cell.QUEUED): "the lease expired, or its peer left (epoch + 1)",
    (Cell.LEASED, Cell.COMMITTED): "the peer commits its hash",
    (Cell.STALE, Cell.COMMITTED): "the peer commits its hash, late and in time",
    (Cell.COMMITTED, Cell.DRAWN): "drawn by the batch's commitment, or everything of its peer is re-checked",
    (Cell.DRAWN, Cell.AGREED): "another peer's result agrees",
    (Cell.DRAWN, Cell.DISPUTED): "another peer's result differs, or the state was not delivered",
    (Cell.DRAWN, Cell.REFUSED): "a re-check of a peer set aside did not agree (epoch + 1)",
    (Cell.DISPUTED, Cell.AGREED): "the oracle: the committed state lies within its class",
    (Cell.DISPUTED, Cell.REFUSED): "the oracle: it does not, or nobody delivers it (epoch + 1)",
    (Cell.DISPUTED, Cell.DRAWN): "the peer that disagreed was set aside meanwhile",
    (Cell.AGREED, Cell.RE_EXECUTED): "its batch is accepted",
    (Cell.COMMITTED, Cell.BATCH_CHECKED): "its batch is accepted",
    (Cell.AGREED, Cell.DRAWN): "its peer or its checker was set aside: checked again",
    (Cell.RE_EXECUTED, Cell.DRAWN): "its peer or its checker was set aside: checked again",
    (Cell.BATCH_CHECKED, Cell.DRAWN): "its peer was set aside: checked",
    (Cell.COMMITTED, Cell.REFUSED): "its peer does not deliver its bytes (epoch + 1)",
    (Cell.AGREED, Cell.REFUSED): "its peer does not deliver its bytes (epoch + 1)",
    (Cell.COMMITTED, Cell.QUEUED): "every device that held its bytes is gone (epoch + 1)",
    (Cell.DRAWN, Cell.QUEUED): "every device that held its bytes is gone (epoch + 1)",
    (Cell.AGREED, Cell.QUEUED): "every device that held its bytes is gone (epoch + 1)",
    (Cell.DISPUTED, Cell.QUEUED): "every device that held its bytes is gone (epoch + 1)",
    (Cell.RE_EXECUTED, Cell.QUEUED): "every device that held its bytes is gone (epoch + 1)",
    (Cell.BATCH_CHECKED, Cell.QUEUED): "every device that held its bytes is gone (epoch + 1)",
}
"""Every step that exists, with its reason. `Board.move` refuses any other."""

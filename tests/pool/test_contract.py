"""The contract suite over every log there is natively; `test_contract_wasm` runs it in the interpreter."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable
from pathlib import Path

import pytest

from scellis.content import FolderStore
from scellis.pool.log import MemoryLog, StoreLog
from scellis_coordinator.log_sqlite import SqliteLog
from support.pool_contract import CASES
from support.pool_table import GetLog


def memory(folder: Path) -> GetLog:
    log = MemoryLog()
    return lambda: log


def store(folder: Path) -> GetLog:
    return lambda: StoreLog(FolderStore(folder))


def sqlite(folder: Path) -> GetLog:
    return lambda: SqliteLog(folder / "pools.db")


@pytest.mark.parametrize("kind", [memory, store, sqlite])
@pytest.mark.parametrize("case", CASES)
def test_contract(case: str, kind: Callable[[Path], GetLog], tmp_path: Path) -> None:
    asyncio.run(CASES[case](kind(tmp_path)))


def test_the_suite_is_not_empty() -> None:
    assert len(list(itertools.chain(CASES))) >= 15

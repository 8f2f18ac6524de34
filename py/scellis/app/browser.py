"""The page's session in a tab: what the worker starts once the interpreter is up."""

from __future__ import annotations

import json
import os
from typing import Any

from pyodide.ffi import JsException, create_proxy
from pyodide.http import pyfetch

from scellis.app.devices import Devices
from scellis.app.fetched import check_url, fetch_fault
from scellis.app.session import Session
from scellis.app.storage import Storage
from scellis.app.world import World
from scellis.content import MemoryStore, Store
from scellis.content.browser import TabStore
from scellis.device.browser import open_browser_gpu
from scellis.device.plans import Plans
from scellis.errors import ScellisError, as_scellis_error
from scellis.pool.browser import TabNetwork
from scellis.pool.ports import SystemClock
from scellis.train.data import DATASET_LIMIT_BYTES

EXAMPLES = ("gauge_block", "saturating")
TRAININGS = ("digits_mlp", "digits_cnn", "book_transformer", "iris", "breast_cancer", "diabetes")
DATASETS = ("digits", "moby_dick", "iris", "breast_cancer", "diabetes")


async def start(bridge: Any) -> Any:
    """Make the session; returns the function that answers the page's calls, JSON in and JSON out.

    `bridge` is static/runtime/bridge.js. The proxy that comes back lives as long as the worker.
    """
    store, storage = await _open_store(bridge)
    plans = Plans(store, str(bridge.build))

    def emit(name: str, model: Any) -> None:
        bridge.view(name, json.dumps(model, allow_nan=False))

    session = Session(
        World(
            emit=emit,
            clock=SystemClock(),
            store=store,
            storage=storage,
            devices=Devices(lambda: open_browser_gpu(bridge.gpu, str(bridge.runtime), plans)),
            entropy=os.urandom,
            network=await TabNetwork.open(bridge, store),
            examples={name: await _text(f"{bridge.scope}examples/{name}.sml") for name in EXAMPLES},
            trainings={name: await _text(f"{bridge.scope}examples/{name}.sml") for name in TRAININGS},
            datasets={name: await _text(f"{bridge.scope}examples/data/{name}.sml") for name in DATASETS},
            read_data=lambda name: _bytes(f"{bridge.scope}data/{name}"),
            take_file=lambda token: _taken(bridge, token),
            fetch_data=lambda url: _fetched(bridge, url),
        )
    )

    async def answer(method: str, params: str) -> str:
        try:
            return json.dumps({"result": await session.call(method, json.loads(params))})
        except Exception as error:
            return json.dumps({"error": as_scellis_error(error).as_dict()})

    return create_proxy(answer)


async def _text(url: str) -> str:
    return (await _bytes(url)).decode()


async def _bytes(url: str) -> bytes:
    response = await pyfetch(url)
    if not response.ok:
        raise ScellisError("SCL-APP-EXAMPLE", f"The page's file {url} is not there.", "Reload the page.")
    return bytes(await response.bytes())


async def _taken(bridge: Any, token: str) -> bytes:
    """A file that the page handed over. Raises `SCL-DATA-GONE` where it cannot be read any more."""
    try:
        return bytes((await bridge.takeFile(token)).to_bytes())
    except JsException as error:
        raise ScellisError(
            "SCL-DATA-GONE", "The browser can no longer read a file that was given.", "Give it once more."
        ) from error


async def _fetched(bridge: Any, url: str) -> bytes:
    found = await bridge.fetchData(check_url(url), DATASET_LIMIT_BYTES)
    if found.why:
        raise fetch_fault(url, str(bridge.origin), str(found.why), int(found.status))
    return bytes(found.bytes.to_bytes())


async def _open_store(bridge: Any) -> tuple[Store, Storage]:
    """The tab's database, or memory where the browser keeps nothing, and what the page says of it."""
    try:
        database = await bridge.openStore()
    except JsException as error:
        return MemoryStore(), Storage("memory", str(error)[:200])

    async def ask() -> bool:
        return bool(await bridge.persist())

    persisted = bool(await bridge.persisted())
    return TabStore(database), Storage(str(database.kind), str(database.reason), persisted, ask)

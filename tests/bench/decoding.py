"""How fast images are decoded, and what that costs a training: natively, and in a tab where --tab is given.

    python tests/bench/decoding.py [--tab]

A training on images is set against the same on arrays in memory, step for step; its first epoch decodes, the
second finds what was kept. Natively the oracle computes, which shares the interpreter with the decoder, and
then WebGPU, which does not; in a tab WebGPU.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from scellis.catalog.library import built_in
from scellis.content import address
from scellis.device.protocol import Device
from scellis.sml.dataset import parse_dataset
from scellis.sml.training import parse_training
from scellis.train.data import Dataset
from scellis.train.folders import pack_folder
from scellis.train.reading import read_dataset
from scellis.train.trainer import open_trainer

COUNT, SIDE, CHANNELS = 256, 64, 3
BATCH = 16
TEXT = """\
sml: 1
dataset: pictures@1
files: {{ pictures.zip: '{address}' }}
format: images
arrays: {{ images: {{ of: pixels, scale: 0.00392156862745098 }}, kind: {{ of: folders }} }}
"""
RECORD = f"""\
sml: 1
model: user/bench/pictures@1
data: {{ dataset: pictures@1, input: images, target: kind }}
layers:
  conv: {{ block_id: model/layer/conv2d, out_channels: 8, kernel_size: 3 }}
  active: {{ block_id: model/layer/relu }}
  flat: {{ block_id: model/layer/flatten }}
  out: {{ block_id: model/layer/linear, out_features: 2 }}
optimizer: {{ block_id: training/optimizer/sgd, lr: 0.01 }}
scheduler: {{ block_id: training/scheduler/constant }}
loss: {{ block_id: training/loss/cross_entropy }}
epochs: 2
batch_size: {BATCH}
determinism_tier: debug
seed: 7
"""


IN_TAB = """
import js
from scellis.device.browser import open_browser_gpu
device = await open_browser_gpu(js.scellis.bridge.gpu)
"""


async def natively(packed: bytes) -> None:
    """On the oracle and on this machine's WebGPU."""
    from scellis.cli.devices import open_device

    for name in ("oracle", "native"):
        device = await open_device(name, Path("dist"))
        print(f"natively, {name}, ms:", await bench(packed, time.perf_counter, device))
        await device.close()


async def bench(packed: bytes, clock: Callable[[], float], device: Device) -> dict[str, float]:
    """Milliseconds: of an image's decoding, and of a step on arrays and on images, by epoch."""
    text = parse_dataset(TEXT.format(address=address(packed)))
    began = clock()
    pictures = read_dataset(text, {"pictures.zip": packed})
    opened = clock()
    pixels = pictures.arrays["images"][np.arange(COUNT)]
    decoded = clock()
    arrays = Dataset("pictures", 1, {"images": pixels, "kind": pictures.array("kind")})
    found = {"open": (opened - began) / COUNT, "decode": (decoded - opened) / COUNT}
    pictures = read_dataset(text, {"pictures.zip": packed})
    for name, dataset in (("arrays", arrays), ("images", pictures)):
        trainer = await open_trainer(parse_training(RECORD, built_in()), dataset, device)
        each = trainer.loader.steps_per_epoch
        for epoch in range(2):
            began = clock()
            for step in range(epoch * each, (epoch + 1) * each):
                await trainer.step(step, 0.01)
            found[f"{name}, epoch {epoch + 1}"] = (clock() - began) / each
        trainer.close()
    return {name: round(1e3 * value, 3) for name, value in found.items()}


def images() -> bytes:
    """A folder of PNGs as a ZIP: noise over a slope, with all five filters."""
    from support.image_files import RGB, png

    random = np.random.default_rng(1)
    slope = np.arange(SIDE)[:, None, None] + np.arange(SIDE)[None, :, None]
    return pack_folder(
        {
            f"{'ab'[n % 2]}/{n:04}.png": png(
                (slope + random.integers(0, 60, (SIDE, SIDE, CHANNELS))) % 256, RGB
            )
            for n in range(COUNT)
        }
    )


def in_tab(packed: bytes) -> dict[str, float]:
    """The same in Chromium, by the site in dist/."""
    from playwright.sync_api import sync_playwright

    from support.chromium import CHROMIUM_ARGS, WEBGPU_ARGS, find_chromium
    from support.leaks import python_worker
    from support.page import wait_ready
    from support.servers import StaticServer

    server = StaticServer(Path(__file__).parents[2] / "dist")
    server.start()
    source = Path(__file__).read_text(encoding="utf-8")
    given = base64.b64encode(packed).decode()
    run = f"{source}\n{IN_TAB}json.dumps(await bench(base64.b64decode({given!r}), time.perf_counter, device))"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=find_chromium(), args=[*CHROMIUM_ARGS, *WEBGPU_ARGS]
        )
        page = browser.new_page()
        page.goto(server.url)
        wait_ready(page)
        run = run.replace("from __future__ import annotations\n", "").replace("__file__", "'bench'")
        found = python_worker(page).evaluate(
            "(source) => scellis.pyodide.runPythonAsync(source, { globals: scellis.pyodide.toPy({}) })",
            run,
        )
        browser.close()
    server.stop()
    result: dict[str, float] = json.loads(found)
    return result


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--tab", action="store_true")
    packed = images()
    asyncio.run(natively(packed))
    if parser.parse_args().tab:
        print("in a tab, ms:", in_tab(packed))

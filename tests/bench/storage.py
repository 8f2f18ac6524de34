"""How fast a tab keeps blobs: as files in the private file system and as values in its database.

python tests/bench/storage.py [TIMES]: the built site's own store in Chromium; each figure is the median.
"""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import sync_playwright

if __name__ == "__main__":
    sys.path[:0] = [str(Path(__file__).parents[1]), str(Path(__file__).parents[2] / "scripts")]

from support.chromium import CHROMIUM_ARGS, WEBGPU_ARGS, find_chromium
from support.leaks import python_worker
from support.page import wait_ready
from support.servers import StaticServer
from support.site import DIST

SIZES = (2_500, 16_384, 65_536, 1_048_576, 20_971_520)
MEASURE = """
async ([size, times]) => {
  const { bridge } = self.scellis;
  const store = await bridge.openStore();
  const median = (found) => found.sort((a, b) => a - b)[found.length >> 1];
  const timed = async (act) => {
    const found = [];
    for (let at = 0; at < times; at += 1) {
      const data = crypto.getRandomValues(new Uint8Array(16));
      const bytes = new Uint8Array(size);
      bytes.set(data);
      const hex = [...data, ...data].map((byte) => byte.toString(16).padStart(2, "0")).join("");
      const begun = performance.now();
      await act(hex, bytes.buffer);
      found.push(performance.now() - begun);
    }
    return median(found);
  };
  const names = [];
  const both = {};
  for (const [kind, parts] of Object.entries({ idb: store.values, opfs: store.files })) {
    if (!parts) continue;
    both[kind] = {
      put: await timed((hex, data) => { names.push(hex); return parts.put(hex, data); }),
      get: await timed(() => parts.get(names.at(-1))),
    };
    for (const hex of names.splice(0)) await parts.delete(hex);
  }
  return both;
}
"""


def main(times: int) -> None:
    """Print a table."""
    server = StaticServer(DIST)
    server.start()
    with sync_playwright() as playwright, TemporaryDirectory() as profile:  # elsewhere all lies in memory
        browser = playwright.chromium.launch_persistent_context(
            profile, executable_path=find_chromium(), args=[*CHROMIUM_ARGS, *WEBGPU_ARGS]
        )
        page = browser.new_page()
        page.goto(server.url)
        wait_ready(page)
        for size in SIZES:
            print(size, python_worker(page).evaluate(MEASURE, [size, times]), flush=True)
        browser.close()
    server.stop()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 9)

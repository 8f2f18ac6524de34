"""Builds the static site: fetches the pinned runtime files and assembles dist/.

In the order that things happen: `lock` (what the runtime is) → `sources` (where its bytes may come from) →
`fetch` (get and check them) → `wheel` (our own wheel) → `bundle` (JavaScript, styles) → `assemble` (dist/).
"""

import subprocess
import sys
from pathlib import Path

from scellis.errors import ScellisError

ROOT = Path(__file__).resolve().parents[2]
"""The checkout: every path that the build reads or writes lies below it."""


def run_tool(name: str, command: list[str]) -> None:
    """Run one build tool in the checkout; what it said is shown when it fails.

    Raises `ScellisError` SCL-BUILD-TOOL.
    """
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        print(done.stdout, file=sys.stderr)
        raise ScellisError(
            "SCL-BUILD-TOOL",
            f"{name} failed; what it said is above.",
            "Correct what it names. If the tool itself is missing, run scripts/install.",
            name=name,
        )

"""Builds the static site: fetches the pinned runtime files and assembles dist/.

In the order that things happen: `lock` (what the runtime is) → `sources` (where its bytes may come from) →
`fetch` (get and check them) → `wheel` (our own wheel) → `bundle` (JavaScript, styles) → `assemble` (dist/).
"""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
"""The checkout: every path that the build reads or writes lies below it."""

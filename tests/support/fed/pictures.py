"""Takes a picture of every screen, to be looked at.

    python -m support.fed.pictures FOLDER [--widths 1440,768,390] [--themes light,dark] [--languages en,de,tr]

with tests/ and scripts/ on PYTHONPATH. Needs the built site in dist/.
"""

from __future__ import annotations

import argparse
import os
import shutil
from pathlib import Path

from playwright.sync_api import sync_playwright

from support.fed.page import FedPage
from support.fed.scenes import SCENES
from support.servers import StaticServer
from support.site import DIST

HEIGHTS = {1440: 900, 768: 1024, 390: 844}


def main() -> None:
    """Take the pictures."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--widths", default="1440,768,390")
    parser.add_argument("--themes", default="light,dark")
    parser.add_argument("--languages", default="en,de,tr")
    parser.add_argument("--scenes", default=",".join(SCENES))
    chosen = parser.parse_args()
    chosen.folder.mkdir(parents=True, exist_ok=True)
    chromium = os.environ.get("SCELLIS_CHROMIUM") or shutil.which("chromium")
    server = StaticServer(DIST, "/", {})
    server.start()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium, args=["--no-sandbox", "--headless=new"]
        )
        for width in map(int, chosen.widths.split(",")):
            for theme in chosen.themes.split(","):
                for language in chosen.languages.split(","):
                    context = browser.new_context(
                        viewport={"width": width, "height": HEIGHTS.get(width, 900)},
                        color_scheme=theme,
                        locale=language,
                        service_workers="block",
                    )
                    fed = FedPage(context.new_page(), server.url)
                    for scene in chosen.scenes.split(","):
                        SCENES[scene](fed)
                        fed.page.screenshot(
                            path=chosen.folder / f"{scene}-{width}-{theme}-{language}.png", full_page=True
                        )
                    context.close()
        browser.close()
    server.stop()


if __name__ == "__main__":
    main()

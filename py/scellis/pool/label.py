"""What other members call a device, from what its browser says of itself."""

from __future__ import annotations

import re

_BROWSERS = (
    ("Edge", r"\bEdg(e|A|iOS)?/"),
    ("Opera", r"\bOPR/"),
    ("Samsung Internet", r"\bSamsungBrowser/"),
    ("Firefox", r"\b(Firefox|FxiOS)/"),
    ("Chromium", r"\b(Chrome|HeadlessChrome|Chromium|CriOS)/"),
    ("Safari", r"\bSafari/"),
)
_SYSTEMS = (
    ("Android", r"Android"),
    ("iPhone", r"iPhone"),
    ("iPad", r"iPad"),
    ("Windows", r"Windows"),
    ("ChromeOS", r"CrOS"),
    ("Mac", r"Macintosh|Mac OS"),
    ("Linux", r"Linux|X11"),
)


def device_label(user_agent: str) -> str:
    """Browser and system, for instance "Chromium, Linux"; names that no language translates."""
    browser = next((name for name, pattern in _BROWSERS if re.search(pattern, user_agent)), "Browser")
    system = next((name for name, pattern in _SYSTEMS if re.search(pattern, user_agent)), "")
    return f"{browser}, {system}" if system else browser

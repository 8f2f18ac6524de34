"""Software Vulkan for tests without a GPU: SwiftShader, which every Chromium brings along."""

from __future__ import annotations

import ctypes
import os
from functools import cache
from pathlib import Path

from support.chromium import find_chromium

CHROMIUM_FOLDERS = ("/usr/lib/chromium", "/usr/lib/chromium-browser", "/opt/google/chrome")
MANIFEST = "vk_swiftshader_icd.json"


@cache
def swiftshader_folder() -> Path:
    """The folder of SwiftShader's manifest and of a Vulkan loader: that of the tests' Chromium."""
    candidates = [Path(find_chromium()).resolve().parent, *map(Path, CHROMIUM_FOLDERS)]
    for folder in candidates:
        if (folder / MANIFEST).is_file():
            return folder
    raise AssertionError(
        f"No {MANIFEST} beside Chromium ({', '.join(map(str, candidates))}): run scripts/test, "
        "or set SCELLIS_CHROMIUM to the path of a Chromium that has it."
    )


def use_swiftshader() -> None:
    """Have this process's Vulkan be SwiftShader alone, through Chromium's loader: none need be installed."""
    os.environ["VK_DRIVER_FILES"] = os.environ["VK_ICD_FILENAMES"] = str(swiftshader_folder() / MANIFEST)
    ctypes.CDLL(str(swiftshader_folder() / "libvulkan.so.1"), mode=ctypes.RTLD_GLOBAL)


def swiftshader_environment() -> dict[str, str]:
    """The environment of a child process whose Vulkan is SwiftShader alone."""
    manifest = str(swiftshader_folder() / MANIFEST)
    return {
        **os.environ,
        "VK_DRIVER_FILES": manifest,
        "VK_ICD_FILENAMES": manifest,
        "LD_LIBRARY_PATH": str(swiftshader_folder()),
    }

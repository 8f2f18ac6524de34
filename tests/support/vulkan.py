"""Software Vulkan for tests without a GPU: SwiftShader, which Chromium brings; lavapipe, which has f16."""

from __future__ import annotations

import ctypes
import os
from functools import cache
from pathlib import Path

from support.chromium import find_chromium

CHROMIUM_FOLDERS = ("/usr/lib/chromium", "/usr/lib/chromium-browser", "/opt/google/chrome")
MANIFEST = "vk_swiftshader_icd.json"
VULKAN_FOLDERS = ("/usr/share/vulkan/icd.d", "/etc/vulkan/icd.d", "/usr/local/share/vulkan/icd.d")
ADAPTER = "WGPUPY_WGPU_ADAPTER_NAME"
"""Where wgpu-py looks for a part of the name of the adapter that is wanted."""
SWIFTSHADER, LAVAPIPE = "SwiftShader", "llvmpipe"
"""What the drivers call themselves."""


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


@cache
def lavapipe_manifest() -> Path | None:
    """The manifest of Mesa's processor driver, None where it is not installed."""
    found = [path for folder in VULKAN_FOLDERS for path in sorted(Path(folder).glob("lvp_icd*.json"))]
    return found[0] if found else None


def use_software() -> None:
    """Have this process's Vulkan be SwiftShader, or lavapipe if `ADAPTER` says so, by Chromium's loader."""
    manifests = [swiftshader_folder() / MANIFEST, lavapipe_manifest()]
    files = os.pathsep.join(str(path) for path in manifests if path is not None)
    os.environ["VK_DRIVER_FILES"] = os.environ["VK_ICD_FILENAMES"] = files
    os.environ[ADAPTER] = SWIFTSHADER
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

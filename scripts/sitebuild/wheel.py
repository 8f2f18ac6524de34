"""Our own wheel, and what a wheel says of itself."""

from __future__ import annotations

import sys
import zipfile
from email.parser import BytesParser
from pathlib import Path

import attrs
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from sitebuild import run_tool

PAGE_ENVIRONMENT = {
    "implementation_name": "cpython",
    "os_name": "posix",
    "platform_machine": "wasm32",
    "platform_python_implementation": "CPython",
    "platform_system": "Emscripten",
    "python_full_version": "3.13.2",
    "python_version": "3.13",
    "sys_platform": "emscripten",
    "extra": "",
}
"""What the markers of a requirement are judged by: the interpreter of the page, not the one that builds."""


@attrs.frozen
class WheelFacts:
    """Name (normalised), version, the distributions it needs in the page, and the modules it brings."""

    name: str
    version: str
    depends: tuple[str, ...]
    imports: tuple[str, ...]


def build_wheel(folder: Path) -> Path:
    """Build the project's wheel into `folder`: the same bytes for the same sources."""
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    run_tool("hatchling", command)
    (wheel,) = folder.glob("scellis-*.whl")
    return wheel


def read_wheel(data: Path) -> WheelFacts:
    """Read a wheel's metadata, its requirements judged for the page's interpreter."""
    with zipfile.ZipFile(data) as archive:
        (member,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        metadata = BytesParser().parsebytes(archive.read(member))
        tops = {name.split("/")[0] for name in archive.namelist() if name.endswith(".py")}
    requirements = [Requirement(text) for text in metadata.get_all("Requires-Dist", [])]
    needed = [item for item in requirements if not item.marker or item.marker.evaluate(PAGE_ENVIRONMENT)]
    return WheelFacts(
        name=canonicalize_name(metadata["Name"]),
        version=metadata["Version"],
        depends=tuple(sorted(canonicalize_name(item.name) for item in needed)),
        imports=tuple(sorted(top.removesuffix(".py") for top in tops)),
    )

"""Devices by the names that the command line gives them."""

from __future__ import annotations

import argparse
from pathlib import Path

from scellis.device.oracle import OracleDevice
from scellis.device.oracle_wasm import open_oracle_wasm
from scellis.device.protocol import Device
from scellis.errors import ScellisError

DEVICES = ("oracle", "oracle-wasm", "native")


def _default_site() -> Path:
    """The built site: dist/ here, else that of the checkout which this package runs from."""
    here = Path("dist")
    checkout = Path(__file__).parents[3] / "dist"
    return checkout if checkout.is_dir() and not here.is_dir() else here


def add_device_arguments(command: argparse.ArgumentParser) -> None:
    """`--device` and, for the WebAssembly oracle, `--site`."""
    command.add_argument(
        "--device",
        choices=DEVICES,
        default="oracle",
        help="oracle: NumPy; oracle-wasm: the browser's build of it, in Node; native: WebGPU on this machine",
    )
    add_site_argument(command, "a built site, for oracle-wasm")


def add_site_argument(command: argparse.ArgumentParser, what: str) -> None:
    """`--site`, which is `what` to the command."""
    command.add_argument("--site", type=Path, default=_default_site(), help=what)


async def open_device(name: str, site: Path) -> Device:
    """The device called `name`. Raises `SCL-GPU-NONE` or `SCL-ORACLE-*` where it cannot be had."""
    if name == "oracle":
        return OracleDevice()
    if name == "oracle-wasm":
        return await open_oracle_wasm(site / "runtime")
    try:
        from scellis.device.native import open_native
    except ImportError as error:
        raise ScellisError(
            "SCL-GPU-NONE",
            "WebGPU outside the browser needs the package wgpu.",
            "Run: pip install 'scellis[native]'",
        ) from error
    return await open_native()

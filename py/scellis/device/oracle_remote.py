"""Both ends of the lines between a native process and the oracle in Node: JSON requests, safetensors back."""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import attrs
import numpy as np

from scellis.codecs import pack, unpack
from scellis.device.oracle import OracleDevice, OracleSampler
from scellis.device.protocol import Accumulators, Words
from scellis.graph import Graph, compute
from scellis.graph.op import Array
from scellis.kernels.spec import SampleSpec

ANSWER_LIMIT_BYTES = 256 * 1024 * 1024


def greeting(runtime: str) -> str:
    """The first line of the remote end: its fingerprint, with the hash of the interpreter's WebAssembly."""
    return json.dumps({**OracleDevice().fingerprint, "runtime": runtime})


def request_line(graph: Graph, spec: SampleSpec, first: int, count: int) -> str:
    """A request for shards `first … first + count − 1`."""
    return json.dumps({"graph": graph.to_json(), "spec": attrs.asdict(spec), "first": first, "count": count})


def compute_line(graph: Graph, inputs: Sequence[Array]) -> str:
    """A request for the outputs of a graph of arrays."""
    return json.dumps({"graph": graph.to_json(), "inputs": _packed(inputs)})


def philox_line(counter: Words, key: tuple[int, int]) -> str:
    """A request for one Philox block."""
    return json.dumps({"counter": counter, "key": key})


async def answer(line: str) -> str:
    """The remote end: compute what a request asks for."""
    request: dict[str, Any] = json.loads(line)
    if "counter" in request:
        return json.dumps(await OracleDevice().philox(request["counter"], request["key"]))
    if "inputs" in request:
        inputs = arrays(request["inputs"].encode())
        return _packed(compute(Graph.from_json(request["graph"]), inputs))
    sampler = _sampler(json.dumps([request["graph"], request["spec"]]))
    found = await sampler.run(request["first"], request["count"])
    parts = {name: np.asarray(value) for name, value in attrs.asdict(found).items() if name != "first"}
    return base64.b64encode(pack(parts)).decode()


@lru_cache(maxsize=1)  # one program at a time is in use
def _sampler(program: str) -> OracleSampler:
    graph, spec = json.loads(program)
    return OracleSampler(Graph.from_json(graph), SampleSpec(**spec))


def _packed(values: Sequence[Array]) -> str:
    """Arrays in order, as a line."""
    return base64.b64encode(pack({str(place): value for place, value in enumerate(values)})).decode()


def arrays(line: bytes) -> list[Array]:
    """Read arrays in order from a line."""
    data = base64.b64decode(line.strip(), validate=True)
    found = unpack(data, what="arrays of the oracle", limit_bytes=ANSWER_LIMIT_BYTES)
    return [found[str(place)] for place in range(len(found))]


def accumulators(line: bytes, first: int) -> Accumulators:
    """The native end: read an answer."""
    data = base64.b64decode(line.strip(), validate=True)
    return Accumulators(first=first, **unpack(data, what="oracle's answer", limit_bytes=ANSWER_LIMIT_BYTES))

"""The oracle's WebAssembly build in Node: the browser's bits, and how far NumPy here is from them."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from scellis.cli.doctor import KNOWN_ANSWERS
from scellis.device.oracle_wasm import OracleWasmDevice, open_oracle_wasm
from scellis.errors import ScellisError
from scellis.job import ShardState, compare, prepare_job
from support.programs import EXAMPLES, example_plan, oracle_states
from support.site import built_site


async def wasm_states(device: OracleWasmDevice, name: str, first: int, count: int) -> list[ShardState]:
    sampler = await prepare_job(example_plan(name).job, device)
    return await sampler.states(first, count)


async def test_it_computes_the_known_answers_and_agrees_with_numpy_here_within_a_class() -> None:
    device = await open_oracle_wasm(built_site() / "runtime")
    try:
        assert device.fingerprint["kind"] == "oracle-wasm"
        assert len(device.fingerprint["runtime"]) == 64
        for counter, key, output in KNOWN_ANSWERS:
            assert await device.philox(counter, key) == output
        for name in EXAMPLES:
            found = await wasm_states(device, name, 317, 2)
            again = await wasm_states(device, name, 318, 1)
            assert found[1].to_bytes() == again[0].to_bytes()
            here = await asyncio.to_thread(oracle_states, example_plan(name).job, 317, 2)
            for wasm, native in zip(found, here, strict=True):
                assert compare(wasm, native, example_plan(name).job.tolerance) == []
    finally:
        await device.close()


async def test_an_answer_whose_asker_gave_up_is_nobody_else_s() -> None:
    device = await open_oracle_wasm(built_site() / "runtime")
    try:
        given_up = asyncio.ensure_future(wasm_states(device, "gauge_block", 1, 2))
        await asyncio.sleep(0)  # prepared
        await asyncio.sleep(0)  # asked
        given_up.cancel()
        counter, key, output = KNOWN_ANSWERS[2]
        assert await device.philox(counter, key) == output
        assert await device.philox(counter, key) == output
    finally:
        await device.close()


async def test_a_missing_runtime_and_an_ended_process_are_named(tmp_path: Path) -> None:
    with pytest.raises(ScellisError) as refused:
        await open_oracle_wasm(tmp_path)
    assert refused.value.code == "SCL-ORACLE-RUNTIME"
    device = await open_oracle_wasm(built_site() / "runtime")
    await device.close()
    with pytest.raises(ScellisError) as refused:
        await device.philox((0, 0, 0, 0), (0, 0))
    assert refused.value.code == "SCL-ORACLE-LOST"

"""Records the view models of a real run, for the tests that look at the page alone.

    python tests/support/fed/record.py

writes views.json beside this file: for each example its plan, the run at a tenth, and the run when it is
done, computed by the oracle. Run it again when the view models change.
"""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

from scellis.app import models
from scellis.device.oracle import OracleDevice
from scellis.job import MergeTree, estimate, plan_job, prepare_job

HERE = Path(__file__).parent
EXAMPLES = HERE.parents[2] / "examples"
RATE = 3_612_345.0
"""Draws a second, as software WebGPU on two cores made them."""


async def _run(name: str) -> dict[str, Any]:
    text = (EXAMPLES / f"{name}.sml").read_text(encoding="utf-8")
    plan = plan_job(text)
    job = plan.job
    sampler = await prepare_job(job, OracleDevice())
    tree = MergeTree(job.partition.shards, job.reduction.bins)
    trace = models.Trace()
    shown: dict[str, Any] = {}
    step = 4
    for first in range(0, job.partition.shards, step):
        tree.update(dict(enumerate(await sampler.states(first, step), first)))
        found = estimate(job, tree.root)
        trace.add(found)
        done = first + step
        if done in (job.partition.shards // 10, job.partition.shards):
            shown["done" if done == job.partition.shards else "running"] = {
                **models.job_model(job),
                "computed": done,
                "accepted": done,
                "rate": RATE,
                "seconds_left": (job.draws - found.draws) / RATE,
                "trace": trace.model(),
                "address": "sha256:" + "9c1e" * 15 + "9c07",
                **models.estimate_model(job, found, tree.root),
            }
    return {"plan": {**models.plan_model(plan, RATE, name), "sml": text}, **shown}


async def main() -> None:
    views = {name: await _run(name) for name in ("gauge_block", "saturating")}
    (HERE / "views.json").write_text(json.dumps(views, separators=(",", ":")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    asyncio.run(main())

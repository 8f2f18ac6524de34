"""The gauge block calibration of JCGM 101, 9.5, computed by a script of one's own in PyScript's worker."""

from pyscript import sync

from scellis.device.oracle import OracleDevice
from scellis.job import MergeTree, estimate, plan_job, prepare_job

SHARDS = 8  # 524 288 draws: a second of NumPy


async def run(sml: str) -> str:
    """One sentence with the result of a program; `sml` is its text."""
    job = plan_job(sml).job
    sampler = await prepare_job(job, OracleDevice())
    states = await sampler.states(0, SHARDS)
    tree = MergeTree(SHARDS, job.reduction.bins)
    tree.update(dict(enumerate(states)))
    found = estimate(job, tree.root)
    low, high = found.interval.low, found.interval.high
    unit = job.labels.unit
    return (
        f"{found.mean:.0f} {unit}, standard deviation {found.std:.0f} {unit}, "
        f"{found.interval.coverage:.0%} interval [{low:.0f}, {high:.0f}] {unit} "
        f"from {found.draws:,} draws"
    )


sync.run = run

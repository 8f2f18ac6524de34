"""Run records, run URLs and replay."""

from scellis.records.record import VERDICTS, Leaf, RunRecord
from scellis.records.replay import Replay, judge_replay, replay_shard
from scellis.records.url import EVIDENCE_LIMIT, Evidence, LinkedRun, parse_fragment, run_fragment

__all__ = [
    "EVIDENCE_LIMIT",
    "VERDICTS",
    "Evidence",
    "Leaf",
    "LinkedRun",
    "Replay",
    "RunRecord",
    "judge_replay",
    "parse_fragment",
    "replay_shard",
    "run_fragment",
]

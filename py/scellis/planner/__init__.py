"""What a run will need, known before it starts."""

from scellis.planner.budget import draws_needed, shards_needed
from scellis.planner.pilot import Pilot, run_pilot

__all__ = ["Pilot", "draws_needed", "run_pilot", "shards_needed"]

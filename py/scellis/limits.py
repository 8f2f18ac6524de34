"""What every layer of the engine agrees on."""

SHARD_LIMIT = 1_000_000
"""Shards that one job may have."""

POLICIES = ("own_devices",)
"""Whose devices may compute a job."""

"""Batches sized from time, on a clock of the test's own."""

from __future__ import annotations

from scellis.device.pace import GROWTH, TARGET_S, Pace


class Device:
    """Computes `rate` shards a second after `cost` seconds a batch, one batch at a time."""

    def __init__(self, rate: float, cost: float = 0.0) -> None:
        self.now = 100.0
        self.rate = rate
        self.cost = cost
        self.pace = Pace(lambda: self.now, capacity=1024)

    def alone(self) -> int:
        """One batch at a time."""
        shards = self.pace.batch_shards
        self.pace.start()
        self.now += self.cost + shards / self.rate
        self.pace.finish(shards)
        return shards

    def in_pairs(self) -> None:
        """Two batches in flight whose answers arrive at one moment."""
        sizes = [self.pace.batch_shards] * 2
        for _ in sizes:
            self.pace.start()
        self.now += sum(sizes) / self.rate
        for size in sizes:
            self.pace.finish(size)


def test_the_first_batch_is_one_shard_and_growth_is_bounded() -> None:
    device = Device(rate=1e9)
    assert [device.alone() for _ in range(6)] == [1, GROWTH, GROWTH**2, GROWTH**3, 1024, 1024]


def test_a_batch_settles_at_the_target() -> None:
    device = Device(rate=64.0)  # software: 16 ms a shard
    sizes = [device.alone() for _ in range(5)]
    assert sizes[-1] == int(TARGET_S * 64.0) == 3
    assert max(sizes) / 64.0 < 0.08


def test_what_a_submit_costs_in_itself_does_not_stop_the_growth() -> None:
    device = Device(rate=100_000.0, cost=0.002)
    for _ in range(6):
        device.alone()
    assert device.pace.batch_shards == 1024


def test_answers_in_pairs_do_not_deceive() -> None:
    device = Device(rate=64.0)
    for _ in range(8):
        device.in_pairs()
        assert device.pace.batch_shards <= 4


def test_a_device_that_slows_down_gets_less() -> None:
    device = Device(rate=6400.0)
    for _ in range(5):
        device.alone()
    assert device.pace.batch_shards == 320
    device.rate = 64.0
    device.alone()
    assert device.pace.batch_shards == 3


def test_time_that_passes_between_runs_is_no_work() -> None:
    device = Device(rate=64.0)
    device.alone()
    device.now += 64.0
    device.alone()
    assert device.pace.batch_shards == 3


def test_a_batch_that_failed_leaves_the_pace_as_it_was() -> None:
    device = Device(rate=64.0)
    device.alone()
    device.pace.start()
    device.pace.abandon()
    assert device.pace.batch_shards == 3
    device.alone()
    assert device.pace.batch_shards == 3

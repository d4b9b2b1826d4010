"""What is waited for when the flow between two sites is restored: with clients at work, and without."""

import pytest

from kafka_lab import mirrors
from kafka_lab.configuration import planned
from kafka_lab.content import GROUP_READS
from kafka_lab.state import LabState

PRIMARY, STANDBY = (LabState(name, "/nowhere", name, "4.0.0", "/nowhere", planned(3)) for name in ("one", "two"))
BEATS = mirrors.remote("heartbeats")
COPIES = [mirrors.remote(topic) for topic in (*mirrors.WRITTEN_PLAINLY, GROUP_READS)]


class Both:
    """Two sites that get on by one step with each question: what is written and read, and what comes over of it."""

    def __init__(self, *, writes: int = 0, reads: int = 0, translates: bool = True) -> None:
        self.writes, self.reads, self.translates = writes, reads, translates
        self.steps = 0

    def end_offsets(self, lab: LabState, topic: str) -> int:
        """What a topic holds; the copy lacks the last 5 steps, and each topic began with 100 records."""
        self.steps += 1
        if topic == BEATS:
            return self.steps
        lacks = 5 if lab is STANDBY else 0
        return 100 + max(0, self.steps - lacks) * self.writes

    def committed(self, lab: LabState, _group: str, _topic: str) -> int:
        """Where the group is; the standby knows it of every hundredth step, and of none before the first."""
        self.steps += 1
        if lab is PRIMARY:
            return 40 + self.steps * self.reads
        return 40 + self.steps // 100 * 100 * self.reads if self.translates and self.steps >= 100 else 0


@pytest.fixture
def play(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    clock = [0.0]

    def later(_: float) -> None:
        clock[0] += 1

    monkeypatch.setattr(mirrors, "standby_of", lambda _: STANDBY)
    monkeypatch.setattr(mirrors, "partitions", lambda _: {topic: {} for topic in (BEATS, *COPIES)})
    monkeypatch.setattr("kafka_lab.waiting.time.sleep", later)
    monkeypatch.setattr("kafka_lab.waiting.time.monotonic", lambda: clock[0])
    return monkeypatch


@pytest.mark.parametrize(
    ("writes", "reads"), [(0, 0), (3, 0), (0, 3), (3, 3), (3, 2)], ids=["still", "written", "read", "both", "lagging"]
)
def test_it_ends_whoever_is_at_work(play: pytest.MonkeyPatch, writes: int, reads: int) -> None:
    both = Both(writes=writes, reads=reads)
    play.setattr(mirrors, "end_offsets", both.end_offsets)
    play.setattr(mirrors, "committed", both.committed)
    mirrors.wait_for_flow(PRIMARY)
    assert both.steps >= 100  # not before a position came over


@pytest.mark.parametrize(("writes", "reads"), [(0, 0), (3, 0), (3, 3)], ids=["still", "written", "both"])
def test_positions_that_do_not_come_over_are_missed_whoever_is_at_work(
    play: pytest.MonkeyPatch, writes: int, reads: int
) -> None:
    both = Both(writes=writes, reads=reads, translates=False)
    play.setattr(mirrors, "end_offsets", both.end_offsets)
    play.setattr(mirrors, "committed", both.committed)
    with pytest.raises(mirrors.LabError, match="in vain for the positions of billing in orders to come to the standby"):
        mirrors.wait_for_flow(PRIMARY)


def test_a_copy_that_gets_nothing_more_is_missed(play: pytest.MonkeyPatch) -> None:
    both = Both(writes=3, reads=3)
    play.setattr(mirrors, "committed", both.committed)
    play.setattr(
        mirrors,
        "end_offsets",
        lambda lab, topic: 100 if topic == mirrors.remote("payments") else both.end_offsets(lab, topic),
    )
    with pytest.raises(mirrors.LabError, match="in vain for payments to come to the standby of lab one"):
        mirrors.wait_for_flow(PRIMARY)

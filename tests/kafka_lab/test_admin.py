from collections.abc import Iterator, Mapping

import pytest
from kafka import TopicPartition
from kafka.errors import OffsetNotAvailableError

from kafka_lab import admin


class Leader:
    """An admin client whose leaders were just elected: they tell no offsets so many times."""

    def __init__(self, silent: int) -> None:
        self._answers: Iterator[bool] = iter([False] * silent + [True])

    def list_partition_offsets(self, asked: Mapping[TopicPartition, int]) -> dict[TopicPartition, int]:
        """Tell, or refuse."""
        if not next(self._answers):
            raise OffsetNotAvailableError
        return {place: 42 for place, which in asked.items() if which == admin.END}


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(admin, "_PAUSE", 0.0)


def test_a_leader_that_was_just_elected_is_asked_again() -> None:
    assert admin.offsets(Leader(silent=2), "orders", [0, 1], admin.END) == {0: 42, 1: 42}


def test_who_never_tells_is_not_asked_for_ever() -> None:
    with pytest.raises(OffsetNotAvailableError):
        admin.offsets(Leader(silent=1000), "orders", [0], admin.END)


def test_of_no_partition_nobody_is_asked() -> None:
    assert admin.offsets(None, "orders", [], admin.END) == {}

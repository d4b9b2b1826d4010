"""A reader asks a new leader again, which can't tell for a moment where its partition ends."""

from types import SimpleNamespace
from typing import Any

import pytest
from confluent_kafka import KafkaError, KafkaException, TopicPartition

from runbook.canary import reader
from runbook.canary.messages import CanaryJob
from runbook.canary.reader import _Reading


class Played:
    """A consumer whose leaders can't tell the first few times."""

    def __init__(self, failures: int) -> None:
        self.failures = failures

    def get_watermark_offsets(self, part: TopicPartition, timeout: float) -> tuple[int, int]:
        """Fail so often, then tell."""
        del part, timeout
        self.failures -= 1
        if self.failures >= 0:
            raise KafkaException(KafkaError(KafkaError.OFFSET_NOT_AVAILABLE))
        return 0, 7

    def list_topics(self, timeout: float) -> Any:
        """No topics."""
        del timeout
        return SimpleNamespace(topics={})


def reading(failures: int) -> Any:
    job = CanaryJob(role="reader", settings={}, topic="t", mark="t", alone=True)
    return _Reading(job, Played(failures), SimpleNamespace(tell=lambda _: None))  # type: ignore[arg-type]  # as played


def test_a_leader_that_can_not_tell_yet_is_asked_again():
    assert reading(2)._ends([TopicPartition("t", 0)]) == {("t", 0): (0, 7)}


def test_one_that_never_can_is_told(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(reader, "_ANSWER", 0.0)
    with pytest.raises(KafkaException):
        reading(1_000)._ends([TopicPartition("t", 0)])

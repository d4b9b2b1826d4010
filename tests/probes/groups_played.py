"""A recorded cluster whose partitions and commits are as a test says, and move between two looks."""

import time
from collections.abc import Callable, Mapping
from types import SimpleNamespace
from typing import Any, Final

from runbook.answers.kafka import Setting, TopicPartition, TopicSettings
from runbook.model.errors import CannotLook
from runbook.model.fact import Fact
from runbook.model.quantity import PartitionNumber

ARCHIVE: Final = "connect-shipments-archive"
REFUNDS: Final = "connect-refunds-archive"


def topic_partition(topic: str, partition: int) -> TopicPartition:
    """A partition."""
    return TopicPartition(topic, PartitionNumber(partition))


def member(client: str, *assigned: TopicPartition, instance: str | None = None) -> Any:
    """A member as librdkafka tells of it."""
    places = [
        SimpleNamespace(topic=topic_partition.topic, partition=topic_partition.partition)
        for topic_partition in assigned
    ]
    return SimpleNamespace(
        member_id=f"{client}-id",
        client_id=client,
        host="/10.0.0.7",
        group_instance_id=instance,
        assignment=SimpleNamespace(topic_partitions=places),
    )


class Moving:
    """What a test changes.

    Attributes:
        logs: partition → offset → its timestamp; the others have one record, of now.
        ends: partition → its end, where that is not behind its last record.
        stable: partition → its last stable offset, where that is not its end.
        begins: partition → its begin, where that is not its first record.
        commits: group → partition → offset.
        between: what happens between the looks.
        policies: topic → its cleanup.policy, where that is not delete.
        refused: name of a request → why it is not answered.
        asked: times that partitions were asked for.
    """

    def __init__(self, played: Any, monkeypatch: Any) -> None:
        self.played = played
        self.now = round(time.time() * 1000)
        self.logs: dict[TopicPartition, dict[int, int]] = {}
        self.ends: dict[TopicPartition, int] = {}
        self.stable: dict[TopicPartition, int] = {}
        self.begins: dict[TopicPartition, int] = {}
        self.commits: dict[str, dict[TopicPartition, int]] = {}
        self.between: Callable[[], None] = lambda: None
        self.refused: dict[str, CannotLook] = {}
        self.asked: list[int] = []
        self.policies: dict[str, str] = {}
        monkeypatch.setattr(played.kafka, "topic_settings", self._settings)
        self._ask = played.python.ask
        played.python.ask = self._answer
        monkeypatch.setattr(played.kafka.clock, "sleep", self._sleep)

    def ages(self, place: TopicPartition, ages: Mapping[int, float]) -> None:
        """Give a partition records of these ages, in seconds."""
        self.logs[place] = {offset: self.now - round(age * 1000) for offset, age in ages.items()}

    def members(self, group: str, *members: Any) -> None:
        """Give a group these members."""
        self.played.recording["groups"][group][0] = "stable"
        self.played.recording["groups"][group][4] = [*members]

    def observe(self, **given: Any) -> Fact:
        """Put the probe to it."""
        fact: Fact = self.played.observe("kafka_group_lag", **given)
        return fact

    def row(self, group: str, place: TopicPartition, **given: Any) -> dict[str, Any]:
        """The one row of a group and a partition."""
        [row] = [
            row
            for row in self.observe(**given).rows()
            if (row["group"], row["topic"], row["partition"]) == (group, place.topic, place.partition)
        ]
        return row

    def _settings(self) -> dict[str, TopicSettings]:
        return {
            topic: TopicSettings({"cleanup.policy": Setting(self.policies.get(topic, "delete"), "DEFAULT_CONFIG")}, {})
            for topic in self.played.recording["topics"]
        }

    def _sleep(self, seconds: float) -> None:
        if seconds > 0.5:  # else it waits for a leader that has not told its youngest record
            self.between()

    def _answer(self, node: int, label: str, request: Any) -> Any:
        name = type(request).__name__.removesuffix("Request")
        if name in self.refused:
            raise self.refused[name]
        if name == "ListOffsets":
            return self._places(request)
        if name == "OffsetFetch" and self.commits:
            return SimpleNamespace(groups=[self._committed(group.group_id) for group in request.groups])
        return self._ask(node, label, request)

    def _committed(self, group: str) -> Any:
        topics = [
            SimpleNamespace(
                name=place.topic,
                partitions=[SimpleNamespace(partition_index=place.partition, committed_offset=offset, error_code=0)],
            )
            for place, offset in self.commits.get(group, {}).items()
        ]
        return SimpleNamespace(group_id=group, error_code=0, topics=topics)

    def _places(self, request: Any) -> Any:
        topics = [
            SimpleNamespace(
                name=topic.name,
                partitions=[
                    self._place(
                        topic_partition(topic.name, partition.partition_index),
                        partition.timestamp,
                        request.isolation_level,
                    )
                    for partition in topic.partitions
                ],
            )
            for topic in request.topics
        ]
        return SimpleNamespace(topics=topics)

    def _place(self, place: TopicPartition, asked: int, isolation: int) -> Any:
        log = self.logs.get(place, {0: self.now})
        end = self.ends.get(place, max(log, default=-1) + 1)
        youngest = max(log.values(), default=-1)
        if asked == -1:
            offset, stamp = (self.stable.get(place, end) if isolation else end), -1
        elif asked == -2:
            offset, stamp = self.begins.get(place, min(log, default=end)), -1
        else:
            self.asked += [asked] if asked > 0 else []
            least = youngest if asked == -3 else asked
            offset, stamp = next(((at, when) for at, when in log.items() if when >= least), (-1, -1))
        return SimpleNamespace(partition_index=place.partition, offset=offset, timestamp=stamp, error_code=0)

"""Topics of a lab that are right, and topics each of which is wrong in one way, with what their owners declared."""

import contextlib
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from confluent_kafka import Consumer, Producer, TopicPartition

from kafka_lab import LabState
from kafka_lab.admin import (
    broker_settings,
    change_cluster_settings,
    change_settings,
    committed,
    delete_group,
    partitions,
    settings,
    topic_setting,
)
from kafka_lab.content import create_topics, delete_topics, read_some, records_of, write_ballast, write_some
from kafka_lab.waiting import wait_until
from support.evidence.fault import inventory_of
from support.given_connections import give

Topics = Mapping[str, tuple[int, int, dict[str, str]]]

_HOUR: Final = 3600.0
_DAY: Final = 24 * _HOUR
_NEVER: Final = str(2**63 - 1)
_SAFE: Final = {"min.insync.replicas": "2"}
_WITHIN: Final = 240.0
_SAFELY: Final = "objective=durability replicas=3 min.insync.replicas=2 unclean.leader.election.enable=false"
_OFFSETS: Final = "__consumer_offsets"
_POLICY: Final = "cleanup.policy"
_RETENTION: Final = "log.retention.ms"

RIGHT: Final[Topics] = {
    "accounts": (3, 3, _SAFE | {_POLICY: "compact", "max.compaction.lag.ms": "604800000"}),
    "archive": (3, 3, _SAFE | {"retention.ms": "-1", "retention.bytes": "52428800", "segment.bytes": "10485760"}),
    "ledger": (1, 3, _SAFE),
    "sessions": (3, 3, _SAFE | {"retention.ms": "3600000", "segment.ms": "3600000"}),
    "sums-changelog": (3, 3, _SAFE | {_POLICY: "compact"}),
}
READER: Final = "accounts-view"

_DECLARED: Final = [
    f"orders owner=shop key=order-id order=key partitions=6 {_SAFELY}",
    f"payments owner=bank key=order-id order=key partitions=3 {_SAFELY}",
    f"clicks owner=web key=none retention.ms=604800000 {_SAFELY.replace('durability', 'throughput')}",
    f"accounts owner=bank key=account order=key cleanup.policy=compact {_SAFELY}",
    f"archive owner=law key=none retention.ms=-1 retention.bytes=52428800 segment.bytes=10485760 {_SAFELY}",
    f"ledger owner=bank key=account order=all {_SAFELY}",
    f"sessions owner=web key=user retention.ms=3600000 segment.ms=3600000 {_SAFELY}",
    f"sums-changelog owner=shop key=order-id {_SAFELY}",
]
_CLASSES: Final = ["604800000/-1", "3600000/-1", "-1/52428800"]


def inventory(
    lab: LabState, folder: Path, largest: int, may_read: Sequence[str], params: Mapping[str, Mapping[str, Any]]
) -> dict[str, Any]:
    """The lab's inventory with a producer's file, leave to read some records, and parameters of topics.md."""
    file = folder / f"scanner-{largest}.properties"
    file.write_text(f"acks=all\nmax.request.size={largest}\n", "utf-8")
    document = inventory_of(lab)
    environment = document["environments"][lab.name]
    environment["params"] = {f"topics/{check}": dict(values) for check, values in params.items()}
    give(environment, files={"clients": [{"name": "scanner", "kind": "producer", "path": str(file)}]})
    environment["may_read"] = [*may_read]
    return document


PARAMS_RIGHT: Final[dict[str, dict[str, Any]]] = {
    "*": {"declared": _DECLARED},
    "names-follow-the-policy": {"pattern": "[a-z]+(-[a-z]+)*"},
    "ordered-records-have-keys": {"keyed": ["ledger"]},
    "partitions-share-the-bytes": {"mib": 0},
    "single-partitions-are-meant": {"ordered": ["ledger"]},
    "topics-keep-by-a-class": {"classes": _CLASSES},
    "what-must-be-forgotten-is": {"forget": ["accounts", "sessions"]},
}


@contextlib.contextmanager
def all_right(lab: LabState) -> Iterator[None]:
    """Topics that are as they should be, with records, and a group that has read one of them."""
    with contextlib.ExitStack() as stack:
        stack.callback(delete_topics, lab, RIGHT)
        create_topics(lab, RIGHT)
        for topic in ("accounts", "archive", "ledger", "sums-changelog"):
            write_some(lab, topic)
        stamp(lab, "sessions", 1200.0, 0.0)
        stack.callback(delete_group, lab, READER)
        read_some(lab, "accounts", group=READER)
        yield


def claims_right(lab: LabState) -> dict[str, bool]:
    """Whether the topics are there with their settings, and are read."""
    return _there(lab, RIGHT) | {
        "the group has read all accounts": committed(lab, READER, "accounts") == 60,
        "all records of the ledger have keys": all(record.key() for record in records_of(lab, "ledger")),
        "sessions has two records": len(records_of(lab, "sessions")) == 2,
    }


WRONG: Final[Topics] = {
    "Shouted": (3, 3, _SAFE),
    "ahead": (3, 3, _SAFE),
    "ancient": (3, 3, _SAFE | {"retention.ms": "-1", "retention.bytes": "52428800", "segment.bytes": "10485760"}),
    "behind": (3, 3, _SAFE | {_POLICY: "compact"}),
    "enormous": (3, 3, _SAFE | {"max.message.bytes": "209715200"}),
    "flicker": (3, 3, _SAFE | {"segment.ms": "60000"}),
    "forever": (3, 3, _SAFE | {"retention.ms": "-1"}),
    "hoarder": (3, 3, _SAFE | {_POLICY: "compact", "min.cleanable.dirty.ratio": "1.0"}),
    "keyless": (3, 3, _SAFE),
    "lazy": (3, 3, _SAFE | {"retention.ms": "3600000"}),
    "lonely": (1, 3, _SAFE),
    "lopsided": (3, 3, _SAFE),
    "misfit-changelog": (3, 3, _SAFE),
    "overdue": (3, 3, _SAFE | {"retention.ms": "3600000", "segment.ms": "3600000"}),
    "packed": (3, 3, _SAFE | {"compression.type": "gzip"}),
    "resting": (3, 3, _SAFE),
    "tight": (3, 3, _SAFE | {"retention.bytes": "1048576"}),
    "timeless": (3, 3, _SAFE | {"message.timestamp.after.max.ms": _NEVER}),
}
LATE: Final = "late-view"
_BALLAST: Final = 3_000_000
_EIGHT_DAYS: Final = "691200000"

PARAMS_WRONG: Final[dict[str, dict[str, Any]]] = {
    "*": {
        "declared": [
            "orders owner=shop key=order-id order=all retention.ms=1 objective=durability",
            f"clicks owner=web {_SAFELY}",
            f"payments owner=bank key=none order=key {_SAFELY}",
            "nowhere owner=bank",
        ]
    },
    "names-follow-the-policy": {"pattern": "[a-z]+(-[a-z]+)*"},
    "ordered-records-have-keys": {"keyed": ["keyless"]},
    "partitions-are-of-a-bearable-size": {"mib": 1},
    "partitions-share-the-bytes": {"mib": 1, "times": 2.0},
    "topics-keep-by-a-class": {"classes": _CLASSES},
    "what-must-be-forgotten-is": {"forget": ["hoarder"]},
}


@contextlib.contextmanager
def all_wrong(lab: LabState) -> Iterator[None]:
    """Topics that are wrong, each in one way, and brokers that keep records for longer than was decided."""
    with contextlib.ExitStack() as stack:
        stack.callback(delete_topics, lab, WRONG)
        create_topics(lab, WRONG)
        stack.callback(change_settings, lab, "topic", {_OFFSETS: {_POLICY: "compact"}})
        change_settings(lab, "topic", {_OFFSETS: {_POLICY: "delete"}})
        stack.callback(_keep, lab, None)
        _keep(lab, _EIGHT_DAYS)
        _write_wrongly(lab)
        stack.callback(delete_group, lab, LATE)
        _commit(lab, LATE, "behind")
        yield


def _keep(lab: LabState, time_ms: str | None) -> None:
    """Have all brokers keep records for so long: where they differ, it would be chance who tells of a topic."""
    change_cluster_settings(lab, {_RETENTION: time_ms})
    wait_until(
        lambda: set(broker_settings(lab, _RETENTION)) == {time_ms}, "brokers to keep records so long", within=_WITHIN
    )


def _write_wrongly(lab: LabState) -> None:
    stamp(lab, "overdue", 3 * _HOUR, -0.5 * _HOUR)
    stamp(lab, "ahead", -0.5 * _HOUR)
    stamp(lab, "ancient", time.time() - time.time() / 1000)  # seconds, where milliseconds are meant
    stamp(lab, "behind", 3 * _DAY, 3 * _DAY, 3 * _DAY)
    stamp(lab, "lazy", 1200.0, 0.0)
    stamp(lab, "keyless", 0.0, key=None)
    write_ballast(lab, "lopsided", [0], _BALLAST)


def stamp(lab: LabState, topic: str, *ages: float, key: bytes | None = b"key") -> None:
    """Write a record of each age, in seconds, to partition 0: all of them in one batch."""
    producer = Producer(settings(lab) | {"acks": "all", "linger.ms": 1000})
    now = time.time()
    for age in ages:
        producer.produce(topic, key=key, value=b"stamped", partition=0, timestamp=int((now - age) * 1000))
    assert producer.flush(_WITHIN) == 0


def _commit(lab: LabState, group: str, topic: str) -> None:
    """Have a group that is not there any more stand behind the first record of partition 0."""
    consumer = Consumer(settings(lab) | {"group.id": group, "enable.auto.commit": False})
    try:
        place = TopicPartition(topic, 0, 1)
        wait_until(
            lambda: bool(consumer.commit(offsets=[place], asynchronous=False)), f"{group} to commit", within=_WITHIN
        )
    finally:
        consumer.close()


def claims_wrong(lab: LabState) -> dict[str, bool]:
    """Whether each of the topics is wrong in its way."""
    now = time.time() * 1000
    times = {topic: [record.timestamp()[1] - now for record in records_of(lab, topic)] for topic in _STAMPED}
    held = [len(record.value() or b"") for record in records_of(lab, "lopsided")]
    return _there(lab, WRONG) | {
        "positions expire": topic_setting(lab, _OFFSETS, _POLICY) == "delete",
        "all brokers keep eight days": set(broker_settings(lab, _RETENTION)) == {_EIGHT_DAYS},
        "a record of overdue is three hours old": min(times["overdue"], default=0) < -2.9 * _HOUR * 1000,
        "a record of ahead lies ahead": max(times["ahead"], default=0) > 0.2 * _HOUR * 1000,
        "a record of ancient is of 1970": min(times["ancient"], default=0) < -50 * 365 * _DAY * 1000,
        "records of behind are three days old": len(times["behind"]) == 3 and max(times["behind"]) < -2.9 * _DAY * 1000,
        "lazy has two records": len(times["lazy"]) == 2,
        "a record of keyless has no key": [one.key() for one in records_of(lab, "keyless")] == [None],
        "one partition of lopsided holds all of it": sum(held) >= _BALLAST
        and {record.partition() for record in records_of(lab, "lopsided")} == {0},
        "a group stands behind the first record": committed(lab, LATE, "behind") == 1,
    }


_STAMPED: Final = ("overdue", "ahead", "ancient", "behind", "lazy")


def _there(lab: LabState, topics: Topics) -> dict[str, bool]:
    """Whether each topic has its partitions and the settings that it was given."""
    seen = partitions(lab)
    claims = {
        f"{topic} has {count} partitions": len(seen.get(topic, {})) == count for topic, (count, _, _) in topics.items()
    }
    for topic, (_, _, given) in topics.items():
        for name, value in given.items():
            claims[f"{topic} has {name}={value}"] = topic_setting(lab, topic, name) == value
    return claims

"""MirrorMaker 2 of a lab: three connectors at the standby, which copy the primary's topics, offsets and heartbeats.

They run on Kafka Connect, as recommended, not in MirrorMaker's dedicated mode: so its REST interface shows them all.
What a source connector reads is always written to the cluster of its workers, the standby's. For copied topics that is
right. For heartbeats it is not: a beat must start at the primary and be copied like any record, else it proves nothing
about the link. So the heartbeat connector looks from the standby to the primary, and its producer is turned there
(`producer.override.bootstrap.servers`, which workers allow unless `connector.client.config.override.policy` says
otherwise). In its dedicated mode MirrorMaker runs just that, a second pair of clusters, by itself.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Final

from kafka_lab import connect, link
from kafka_lab.admin import committed, end_offsets, newest_records, partitions
from kafka_lab.content import GROUP, GROUP_READS, WRITTEN_PLAINLY
from kafka_lab.errors import LabError
from kafka_lab.state import LabState, read
from kafka_lab.waiting import wait_until

PRIMARY: Final = "primary"
STANDBY: Final = "standby"
"""Aliases, and the names under which the standby's state is kept."""

SOURCE: Final = "mirror-source"
CHECKPOINT: Final = "mirror-checkpoint"
HEARTBEAT: Final = "mirror-heartbeat"

TOPICS: Final = (".*",)
NO_TOPICS: Final = (
    r"mm2-.*",
    r".*[\-\.]internal",
    r".*\.replica",
    r"__.*",
    r".*connect-(configs|offsets|status)",
    r".*-changelog",
    r".*-repartition",
    r"kafkasql-.*",
)
"""Not copied: what MirrorMaker, Kafka, Connect, Kafka Streams and a registry keep for themselves. The first, second and
last three are not what MirrorMaker leaves out by itself."""

GROUPS: Final = (".*",)
NO_GROUPS: Final = ("console-consumer-.*", "connect-.*", "__.*")
CHANGELOG: Final = "order-totals-by-customer-changelog"

_PACKAGE = "org.apache.kafka.connect.mirror"
_BYTES = "org.apache.kafka.connect.converters.ByteArrayConverter"
_OFTEN = "5"  # seconds; minutes by default: a game day shows their effect while people watch
_WITHIN = 120.0
_SILENT = 3.0  # seconds; heartbeats come each second

_LEFT: Final[ContextVar[frozenset[str]]] = ContextVar("connectors that are left stopped", default=frozenset())


def remote(topic: str) -> str:
    """How a topic of the primary is called at the standby."""
    return f"{PRIMARY}.{topic}"


def standby_of(lab: LabState) -> LabState:
    """The cluster of the standby site.

    Raises:
        LabError: The lab has none.
    """
    if STANDBY not in lab.beside or (there := read(STANDBY, Path(lab.folder))) is None:
        raise LabError(f"Lab {lab.name} has no standby: {lab.anew_with(link.PART)}")
    return there


def source(lab: LabState, **more: str) -> dict[str, str]:
    """The configuration of the connector that copies topics, with other values for some of it."""
    return _forth(lab) | {
        "connector.class": f"{_PACKAGE}.MirrorSourceConnector",
        "tasks.max": "2",
        "topics": ",".join(TOPICS),
        "topics.exclude": ",".join(NO_TOPICS),
        "replication.factor": "3",
        "offset-syncs.topic.replication.factor": "3",
        "offset.lag.max": "0",  # every position is translated as it is, not one of up to a hundred records before
        "refresh.topics.interval.seconds": _OFTEN,
        "sync.topic.configs.interval.seconds": _OFTEN,
        "sync.topic.acls.enabled": "false",  # there are none in a lab, until somebody sets some
        "source.consumer.isolation.level": "read_committed",
        "producer.override.compression.type": "lz4",
        "producer.override.batch.size": "65536",
        "producer.override.max.request.size": "2097152",  # more than the largest record of the primary's topics
        **more,
    }


def checkpoint(lab: LabState, **more: str) -> dict[str, str]:
    """The configuration of the connector that translates the offsets of groups, with other values for some of it."""
    return _forth(lab) | {
        "connector.class": f"{_PACKAGE}.MirrorCheckpointConnector",
        "tasks.max": "1",
        "groups": ",".join(GROUPS),
        "groups.exclude": ",".join(NO_GROUPS),
        "checkpoints.topic.replication.factor": "3",
        "refresh.groups.interval.seconds": _OFTEN,
        "emit.checkpoints.interval.seconds": _OFTEN,
        "sync.group.offsets.enabled": "true",
        "sync.group.offsets.interval.seconds": _OFTEN,
        **more,
    }


def heartbeat(lab: LabState) -> dict[str, str]:
    """The configuration of the connector that writes heartbeats at the primary."""
    return {
        "connector.class": f"{_PACKAGE}.MirrorHeartbeatConnector",
        "tasks.max": "1",
        "source.cluster.alias": STANDBY,
        "target.cluster.alias": PRIMARY,
        "source.cluster.bootstrap.servers": standby_of(lab).bootstrap,
        "target.cluster.bootstrap.servers": link.bootstrap(lab),
        "producer.override.bootstrap.servers": link.bootstrap(lab),
        "key.converter": _BYTES,
        "value.converter": _BYTES,
        "heartbeats.topic.replication.factor": "3",
        "emit.heartbeats.interval.seconds": "1",
    }


def _forth(lab: LabState) -> dict[str, str]:
    """What connectors from the primary to the standby have in common."""
    return {
        "source.cluster.alias": PRIMARY,
        "target.cluster.alias": STANDBY,
        "source.cluster.bootstrap.servers": link.bootstrap(lab),
        "target.cluster.bootstrap.servers": standby_of(lab).bootstrap,
        "key.converter": _BYTES,
        "value.converter": _BYTES,
    }


def connectors(lab: LabState) -> dict[str, dict[str, str]]:
    """The configurations of all three, by name."""
    return {SOURCE: source(lab), HEARTBEAT: heartbeat(lab), CHECKPOINT: checkpoint(lab)}


def start(lab: LabState) -> None:
    """Create the connectors, and return when records, beats and a group's offsets have come through.

    Raises:
        LabError: A worker refused, or something did not come through.
    """
    there = standby_of(lab)
    for name, configuration in connectors(lab).items():
        connect.put_connector(there, name, configuration)
    wait_for_flow(lab)


def wait_for_flow(lab: LabState) -> None:
    """Wait until records, beats and the positions of the lab's group have come through, those of now.

    Clients may be at work meanwhile: what they write and read from now on is not waited for.

    Raises:
        LabError: They do not.
    """
    there = standby_of(lab)
    beats = remote("heartbeats")
    before = end_offsets(there, beats) if beats in partitions(there) else 0
    come = f"to come to the standby of lab {lab.name}"
    wait_until(lambda: end_offsets(there, beats) > before, f"heartbeats {come}", within=_WITHIN)
    for topic in WRITTEN_PLAINLY:
        # Of others, offsets of the copy are fewer: those of transactions' ends are not copied.
        wait_until(_has_all_of_now(lab, there, topic), f"{topic} {come}", within=_WITHIN)
    wait_until(lambda: end_offsets(there, remote(GROUP_READS)) > 0, f"{GROUP_READS} {come}", within=_WITHIN)
    wait_until(_knows_the_place(lab, there), f"the positions of {GROUP} in {GROUP_READS} {come}", within=_WITHIN)


def _has_all_of_now(lab: LabState, there: LabState, topic: str) -> Callable[[], bool]:
    """Whether the standby has all records of a topic that the primary had when this was asked first."""
    due: list[int] = []

    def has() -> bool:
        if not due:
            due.append(end_offsets(lab, topic))
        return end_offsets(there, remote(topic)) >= due[0]

    return has


def _knows_the_place(lab: LabState, there: LabState) -> Callable[[], bool]:
    """Whether the standby knows where the lab's group is, or follows a group that reads on.

    A position is translated every few seconds, so that of a group at work is always some records behind. Of such a
    group both positions move: that the one there has moved since this was asked first shows that they come through.
    """
    first: list[tuple[int, int]] = []

    def knows() -> bool:
        here, copied = committed(lab, GROUP, GROUP_READS), committed(there, GROUP, remote(GROUP_READS))
        if not first:
            first.append((here, copied))
        follows = here != first[0][0] and copied != first[0][1]
        return follows or to_read_again(lab) <= 0

    return knows


def caught_up(lab: LabState, there: LabState, topic: str) -> bool:
    """Whether all records of a topic have come to the standby; some may have come twice."""
    return end_offsets(there, remote(topic)) >= end_offsets(lab, topic)


def behind(lab: LabState, topic: str) -> float:
    """How much writing the copy of a topic lacks, in seconds: of the partition that lacks most, by newest records.

    Raises:
        LabError: A site did not answer, or lacks the topic.
    """
    there = newest_records(standby_of(lab), remote(topic))
    return max(newest - there.get(number, 0.0) for number, newest in newest_records(lab, topic).items())


def silence(lab: LabState) -> float:
    """How long ago the newest heartbeat that has come to the standby was written, in seconds.

    Raises:
        LabError: The standby did not answer, or no heartbeat has ever come.
    """
    beats = newest_records(standby_of(lab), remote("heartbeats"))
    return time.time() - max(beats.values())


def to_read_again(lab: LabState) -> int:
    """How many records more the lab's group has before it at the standby than at the primary.

    Raises:
        LabError: A site did not answer.
    """
    there, copy = standby_of(lab), remote(GROUP_READS)
    # What is written or read between two of these questions makes it less, never more; so does what is on its way.
    begins, ends = committed(lab, GROUP, GROUP_READS), end_offsets(there, copy)
    left = end_offsets(lab, GROUP_READS) - begins
    return ends - committed(there, GROUP, copy) - left


def wait_for_silence(lab: LabState) -> None:
    """Wait until no heartbeat has come to the standby for three seconds.

    Raises:
        LabError: They go on.
    """
    there = standby_of(lab)
    last = [end_offsets(there, remote("heartbeats")), time.monotonic()]

    def silent() -> bool:
        now = end_offsets(there, remote("heartbeats"))
        if now != last[0]:
            last[:] = now, time.monotonic()
        return time.monotonic() - last[1] >= _SILENT

    wait_until(silent, f"heartbeats to the standby of lab {lab.name} to cease", within=_WITHIN)


def restore(lab: LabState) -> None:
    """Give the connectors their configurations back, let them go on, and wait until everything comes through.

    What failed is started again: connectors do where the primary is away for longer than they wait. Those that are to
    be left stopped stay so, and then nothing is waited for.

    Raises:
        LabError: They do not run, or something does not come through.
    """
    there, left = standby_of(lab), _LEFT.get()
    for name, configuration in connectors(lab).items():
        connect.configure(there, name, configuration)
        if name not in left:
            connect.resume(there, name)
    if not left:
        wait_for_flow(lab)


@contextmanager
def leaving_stopped(lab: LabState) -> Iterator[None]:
    """Meanwhile whatever restores the flow leaves alone what somebody has stopped: faults pause connectors, none stops.

    Raises:
        LabError: No worker answered.
    """
    before = _LEFT.set(frozenset(stopped(lab)))
    try:
        yield
    finally:
        _LEFT.reset(before)


def stopped(lab: LabState) -> list[str]:
    """The connectors that somebody has stopped.

    Raises:
        LabError: No worker answered.
    """
    there = standby_of(lab)
    said = {name: connect.asked(there, f"/connectors/{name}/status") or {} for name in connectors(lab)}
    return [name for name, status in said.items() if status.get("connector", {}).get("state") == "STOPPED"]

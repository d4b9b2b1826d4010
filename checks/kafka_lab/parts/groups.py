"""A topic that is written to all the time, and groups of several kinds that read it with real clients."""

from pathlib import Path
from typing import Any, Final

import msgspec

from kafka_lab import processes, streams
from kafka_lab.admin import END, kafka_python, offsets
from kafka_lab.configuration import logging_file
from kafka_lab.content import create_topics
from kafka_lab.jars import TOOLS, fetch_jars, kafka_jars
from kafka_lab.parts import Progress
from kafka_lab.processes import Process
from kafka_lab.state import LabState
from kafka_lab.waiting import wait_until
from runbook.folders import cache_folder
from runbook.java import find_java
from runbook.model.errors import UsageError
from runbook.safety.child_process import python_module

HELP: Final = (
    "writers, and groups that read what they write: librdkafka, kafka-python, Java's new protocol, a share group, "
    "Kafka Streams by both protocols"
)

TOPIC: Final = "parcels"
PARTITIONS: Final = 4
ARCHIVE: Final = "parcels-archive"
"""The group that faults are about: one member, librdkafka, the classic protocol."""
_SEARCH: Final = "parcels-search"
_AUDIT: Final = "parcels-audit"
SHARED: Final = "parcels-shared"
"""A share group of one member, which acknowledges what it reads."""
_CONSOLE: Final = ["org.apache.kafka.tools.consumer.ConsoleConsumer", "--group", _SEARCH]
_CONSOLE_SHARE: Final = ["org.apache.kafka.tools.consumer.ConsoleShareConsumer", "--group", SHARED]
_FETCHED: Final = {"tools": TOOLS, "streams": streams.JARS}
_WITHIN: Final = 180.0
FEW: Final = 30
"""Records of lag in a partition up to which a reader has caught up."""
LATE: Final = 20
"""Seconds after which a record that waits is late here."""
SMALL: Final = 4
"""MiB from which on it counts here how a topic's partitions are filled."""
_LATE: Final = (
    "consumers/no-group-is-stuck",
    "consumers/every-group-that-owes-has-members",
    "consumers/groups-read-as-fast-as-is-written",
    "consumers/no-group-leaves-a-topic-unread",
)


def broker_settings(lab: LabState, broker: Any) -> dict[str, Any]:
    """What is to be deleted goes at once, for faults of retention; the default waits five minutes."""
    del lab, broker
    return {"log.retention.check.interval.ms": 2000}


def prepare(lab: LabState, progress: Progress) -> dict[str, Any]:
    """Fetch Kafka's tools and Streams.

    Raises:
        LabError: they could not be fetched.
    """
    del lab
    wanted = {"jars": kafka_jars(cache_folder(), progress)}
    wanted |= {name: fetch_jars(jars, cache_folder(), progress) for name, jars in _FETCHED.items()}
    return {"processes": {}} | {name: str(folder.absolute()) for name, folder in wanted.items()}


def start(lab: LabState, progress: Progress) -> dict[str, Any]:
    """Start all of them, and wait until those that commit have done so in every partition."""
    progress("Starting writers and groups that read")
    durable = {"min.insync.replicas": "2"}
    few = dict.fromkeys((streams.READS, streams.WRITES), (streams.PARTITIONS, 3, durable))
    create_topics(lab, {TOPIC: (PARTITIONS, 3, durable)} | few)
    writer(lab)
    client(lab, "talker", "write", str(streams.PARTITIONS), "words", topic=streams.READS)
    reader(lab, pause=0)
    client(lab, "audit", "audit", _AUDIT)
    _java(
        lab,
        "search",
        [*_CONSOLE, "--command-property", "group.protocol=consumer", "--command-property", "client.id=search-1"],
    )
    share_reader(lab)
    for group in streams.GROUPS:
        _java(lab, group, [streams.MAIN, str(streams.settings_file(lab, group))], of="streams", reads=False)
    wait_until(lambda: not _uncommitted(lab), "groups to commit", within=_WITHIN)
    return lab.parts["groups"]


def stop(lab: LabState, state: dict[str, Any]) -> None:
    """Stop all of them."""
    del lab
    for process in state["processes"].values():
        processes.terminate(msgspec.convert(process, Process), patience=0)


def bring_back(lab: LabState, state: dict[str, Any]) -> None:
    """Nothing: faults that end a client start it again."""


def environment(lab: LabState, state: dict[str, Any]) -> dict[str, Any]:
    """In a lab nobody waits minutes, or writes gigabytes, for a fault to count; these readers commit each second."""
    del lab, state
    late = {check: {"late": LATE} for check in _LATE}
    longest = {"consumers/no-transaction-stays-open": {"longest": LATE}}
    return {"params": {**late, **longest, "topics/partitions-share-the-bytes": {"mib": SMALL}}}


def require(lab: LabState) -> None:
    """Refuse a lab without this part.

    Raises:
        UsageError: it has none.
    """
    if "groups" not in lab.parts:
        raise UsageError(f"Lab {lab.name} has no groups, which this fault needs: {lab.anew_with('groups')}")


def writer(lab: LabState, *, form: str = "number") -> None:
    """Start the writer, whose records are of a form: `number`, or `json`."""
    client(lab, "writer", "write", str(PARTITIONS), form)


def reader(lab: LabState, *, pause: float, name: str = "archive", knows: str = "all") -> None:
    """Start a member of the archive's group, whose work on a record takes so many seconds.

    Args:
        lab: the lab.
        pause: the seconds.
        name: of the process, and of the client.
        knows: the forms of records that it knows: `all`, or `number`.
    """
    client(lab, name, "read", ARCHIVE, str(pause), "1" if name == "archive" else name, knows)


def share_reader(lab: LabState) -> None:
    """Start the member of the share group."""
    _java(lab, "shared", _CONSOLE_SHARE)


def state_of(lab: LabState, group: str) -> str:
    """The state of a group of any kind, as its coordinator lists it: Stable, Empty, …; "" where there is none.

    Raises:
        LabError: the cluster did not answer.
    """
    with kafka_python(lab) as admin:
        listed = admin.list_groups()
    return next((str(found["group_state"]) for found in listed if found["group_id"] == group), "")


def anew(lab: LabState) -> None:
    """Start the archive's member anew, as it is in good days, and wait until it has caught up.

    Raises:
        LabError: it did not.
    """
    end(lab, "archive")
    reader(lab, pause=0)
    wait_until(lambda: max(lags(lab).values()) < FEW, "the reader to catch up", within=_WITHIN)


def described(lab: LabState) -> dict[str, Any]:
    """What the coordinator says of the archive's group: its state and members, as Kafka names them.

    Raises:
        LabError: the cluster did not answer.
    """
    with kafka_python(lab) as admin:
        description: dict[str, Any] = admin.describe_groups([ARCHIVE])[ARCHIVE]
    return description


def client(lab: LabState, name: str, role: str, *rest: str, topic: str = TOPIC) -> None:
    """Start one of our own clients of a topic; what it prints goes to its file of the lab's logs."""
    _note(lab, name, python_module("kafka_lab.group_clients", role, lab.bootstrap, topic, *rest))


def end(lab: LabState, name: str) -> None:
    """Kill a client, if it runs."""
    known = lab.parts["groups"]["processes"].pop(name, None)
    if known is not None:
        processes.terminate(msgspec.convert(known, Process), patience=0)
        lab.save()


def said(lab: LabState, name: str) -> list[str]:
    """The lines that a client has printed."""
    file = _output(lab, name)
    return file.read_text("utf-8", errors="replace").splitlines() if file.exists() else []


def places(lab: LabState, group: str = ARCHIVE, topic: str = TOPIC) -> dict[int, int]:
    """What a group has committed in a topic, by partition.

    Raises:
        LabError: the cluster did not answer.
    """
    with kafka_python(lab) as admin:
        offsets = admin.list_group_offsets([group])[group]
    return {
        topic_partition.partition: offset.offset
        for topic_partition, offset in offsets.items()
        if topic_partition.topic == topic and offset.offset >= 0
    }


def bounds(lab: LabState, which: int) -> dict[int, int]:
    """Where the topic's partitions end (`admin.END`) or begin (`admin.BEGINNING`).

    Raises:
        LabError: the cluster did not answer.
    """
    with kafka_python(lab) as admin:
        return {number: answer.offset for number, answer in offsets(admin, TOPIC, range(PARTITIONS), which).items()}


def lags(lab: LabState) -> dict[int, int]:
    """How far the archive is behind, by partition.

    Raises:
        LabError: the cluster did not answer.
    """
    ends, there = bounds(lab, END), places(lab)
    return {number: ends[number] - there.get(number, 0) for number in ends}


def _uncommitted(lab: LabState) -> list[str]:
    wanted = dict.fromkeys((ARCHIVE, _SEARCH, _AUDIT), (TOPIC, PARTITIONS))
    wanted |= dict.fromkeys(streams.GROUPS, (streams.READS, streams.PARTITIONS))
    return [group for group, (topic, count) in wanted.items() if len(places(lab, group, topic)) < count]


def _java(lab: LabState, name: str, tool: list[str], *, of: str = "tools", reads: bool = True) -> None:
    state = lab.parts["groups"]
    java = [str(find_java()), "-Xmx64m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"]
    java += [
        f"-Dlog4j2.configurationFile={logging_file(lab)}",
        f"-Drunbook.log={Path(lab.folder, 'logs', f'{name}.log')}",
    ]
    classes = ["-cp", f"{state['jars']}/*:{state[of]}/*"]
    arguments = ["--bootstrap-server", lab.bootstrap, "--topic", TOPIC] if reads else []
    _note(lab, name, [*java, *classes, *tool, *arguments])


def _note(lab: LabState, name: str, command: list[str]) -> None:
    process = processes.start(command, output=_output(lab, name), folder=Path(lab.folder))
    lab.parts["groups"]["processes"][name] = msgspec.to_builtins(process)
    lab.save()


def _output(lab: LabState, name: str) -> Path:
    return Path(lab.folder, "logs", f"{name}.out")

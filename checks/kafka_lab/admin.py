"""What the lab asks of its own cluster."""

import logging
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from kafka_lab.brokers import run_tool
from kafka_lab.errors import LabError
from kafka_lab.state import LabState

_REQUEST = 10.0
_METADATA = 3.0
_ATTEMPTS, _PAUSE = 20, 0.1

END, BEGINNING, NEWEST = -1, -2, -3
"""What offsets are asked for, by ListOffsets: LATEST_TIMESTAMP, EARLIEST_TIMESTAMP, MAX_TIMESTAMP (KIP-734)."""

_silent = logging.getLogger("kafka_lab.librdkafka")  # its lines stay off the terminal
_silent.addHandler(logging.NullHandler())
_silent.propagate = False


def settings(lab: LabState) -> dict[str, Any]:
    """Give the settings with which any client of confluent_kafka reaches the lab, silently."""
    return {"bootstrap.servers": lab.bootstrap, "log_level": 0, "logger": _silent, "socket.timeout.ms": 5000}


def change_settings(lab: LabState, kind: str, changes: Mapping[str, Mapping[str, str | None]]) -> None:
    """Set dynamic settings; None takes a setting back.

    Args:
        lab: The lab.
        kind: `broker` or `topic`.
        changes: By resource name (a broker's number, or a topic): setting and value.

    Raises:
        LabError: The cluster refused.
    """
    from kafka.admin import AlterConfigOp, ConfigResource

    resources = [
        ConfigResource(
            kind,
            name,
            {
                key: (AlterConfigOp.SET if value is not None else AlterConfigOp.DELETE, value)
                for key, value in entries.items()
            },
        )
        for name, entries in changes.items()
    ]
    with kafka_python(lab) as admin:
        answers = admin.alter_configs(resources, raise_on_unknown=False)
    refused = [answer for by_name in answers.values() for answer in by_name.values() if answer != "OK"]
    if refused:
        raise LabError(f"Lab {lab.name} refused to change settings: {refused[0]}")


def broker_settings(lab: LabState, key: str) -> list[str | None]:
    """Ask each broker for the value of a setting in force there, in the order of their numbers.

    Raises:
        LabError: One did not answer.
    """
    from kafka.admin import ConfigResource

    values = []
    with kafka_python(lab) as admin:
        for broker in lab.brokers:
            resource = ConfigResource("broker", str(broker.number), [key])
            answer = admin.describe_configs([resource], config_filter="all")
            values.append(answer["broker"][str(broker.number)][key]["value"])
    return values


def topic_setting(lab: LabState, topic: str, key: str) -> str | None:
    """Ask for the value of a topic's setting in force; None where there is no such topic.

    Raises:
        LabError: The cluster did not answer.
    """
    from kafka.admin import ConfigResource

    if topic not in partitions(lab):
        return None
    with kafka_python(lab) as admin:
        answer = admin.describe_configs([ConfigResource("topic", topic, [key])], config_filter="all")
    value: str | None = answer["topic"][topic][key]["value"]
    return value


def change_cluster_settings(lab: LabState, changes: Mapping[str, str | None]) -> None:
    """Set dynamic settings for all brokers at once; None takes a setting back.

    Kafka's own tool does it: neither client library can name "all brokers".

    Raises:
        LabError: The cluster refused.
    """
    kept = [f"{key}={value}" for key, value in changes.items() if value is not None]
    gone = [key for key, value in changes.items() if value is None]
    arguments = ["--bootstrap-server", lab.bootstrap, "--entity-type", "brokers", "--entity-default", "--alter"]
    for option, values in (("--add-config", kept), ("--delete-config", gone)):
        if values:
            arguments += [option, ",".join(values)]
    run_tool(lab, "kafka.admin.ConfigCommand", arguments)


def partitions(lab: LabState) -> dict[str, dict[int, Any]]:
    """Give the metadata of every partition, by topic and number.

    Raises:
        LabError: No broker answered.
    """
    return {name: topic.partitions for name, topic in metadata(lab, lab.bootstrap).topics.items()}


def end_offsets(lab: LabState, topic: str) -> int:
    """Give the sum of the end offsets of a topic's partitions: how many records were ever written to it.

    Raises:
        LabError: The cluster did not answer, or there is no such topic.
    """
    numbers = partitions(lab).get(topic)
    if numbers is None:
        raise LabError(f"Lab {lab.name} has no topic {topic}")
    with kafka_python(lab) as admin:
        ends = offsets(admin, topic, numbers, END)
    return sum(answer.offset for answer in ends.values())


def offsets(admin: Any, topic: str, numbers: Iterable[int], which: int) -> dict[int, Any]:
    """Ask where a topic's partitions end or begin, or for the newest record: partition → its offset and timestamp.

    A leader that was just elected tells no offsets for a moment: it is asked again.

    Args:
        admin: A client of kafka-python.
        topic: Its name.
        numbers: The partitions.
        which: END, BEGINNING or NEWEST.

    Raises:
        KafkaError: A partition's leader did not answer, by the last attempt.
    """
    from kafka import TopicPartition
    from kafka.errors import RetriableError

    asked = {TopicPartition(topic, number): which for number in numbers}
    if not asked:
        return {}
    for attempt in range(_ATTEMPTS + 1):
        try:
            found = admin.list_partition_offsets(asked)
            break
        except RetriableError:
            if attempt == _ATTEMPTS:
                raise
            time.sleep(_PAUSE)
    return {place.partition: answer for place, answer in found.items()}


def newest_records(lab: LabState, topic: str) -> dict[int, float]:
    """Give the time of the newest record of each partition that has any, in seconds since 1970.

    Raises:
        LabError: The cluster did not answer, or there is no such topic.
    """
    numbers = partitions(lab).get(topic)
    if numbers is None:
        raise LabError(f"Lab {lab.name} has no topic {topic}")
    for _ in range(_ATTEMPTS):
        with kafka_python(lab) as admin:
            ends, starts, newest = (offsets(admin, topic, numbers, which) for which in (END, BEGINNING, NEWEST))
        filled = [number for number in numbers if ends[number].offset > starts[number].offset]
        # A leader does not tell the time of a record that its followers lack still: it will at once.
        if all(newest[number].timestamp >= 0 for number in filled):
            return {number: newest[number].timestamp / 1000 for number in filled}
        time.sleep(_PAUSE)
    raise LabError(f"Lab {lab.name} does not tell the times of the newest records of {topic}")


def committed(lab: LabState, group: str, topic: str) -> int:
    """Give the sum of the offsets that a group has committed in a topic; 0 if it has committed none.

    Raises:
        LabError: The cluster did not answer.
    """
    with kafka_python(lab) as admin:
        offsets = admin.list_group_offsets([group])[group]
    return sum(max(0, offset.offset) for partition, offset in offsets.items() if partition.topic == topic)


def delete_group(lab: LabState, group: str) -> bool:
    """Delete a group that has no members; whether it is gone, or was never there.

    Raises:
        LabError: The cluster did not answer.
    """
    with kafka_python(lab) as admin:
        [outcome] = admin.delete_groups([group]).values()
    return outcome in ("OK", "GroupIdNotFoundError")


def live_brokers(lab: LabState) -> set[int]:
    """Give the numbers of the brokers that take part in the cluster; a fenced one does not.

    Raises:
        LabError: No broker answered.
    """
    return set(metadata(lab, lab.bootstrap).brokers)


def metadata(lab: LabState, addresses: str) -> Any:
    """Ask these brokers what they know of the cluster. A new client each time: it asks whom it was told to ask.

    Raises:
        LabError: They did not answer.
    """
    from confluent_kafka import KafkaException
    from confluent_kafka.admin import AdminClient

    try:
        return AdminClient(settings(lab) | {"bootstrap.servers": addresses}).list_topics(timeout=_METADATA)
    except KafkaException as error:
        raise LabError(f"{addresses} of lab {lab.name} did not answer: {error}") from error


def preferred_leaders(lab: LabState) -> None:
    """Give every partition's leadership to its first replica, where that is in sync.

    Raises:
        LabError: The cluster refused.
    """
    with kafka_python(lab) as admin:
        admin.elect_leaders(0, raise_errors=False)  # 0: preferred. Who leads already is answered with an error.


@contextmanager
def kafka_python(lab: LabState) -> Iterator[Any]:
    """Make an admin client of kafka-python, which has requests that confluent_kafka lacks; silent, closed at the end.

    Raises:
        LabError: The cluster did not answer, or refused.
    """
    from kafka import KafkaAdminClient
    from kafka.errors import KafkaError

    logging.getLogger("kafka").addHandler(logging.NullHandler())
    try:
        admin = KafkaAdminClient(bootstrap_servers=lab.bootstrap.split(","), request_timeout_ms=int(_REQUEST * 1000))
        try:
            yield admin
        finally:
            admin.close()
    except KafkaError as error:
        raise LabError(f"The cluster of lab {lab.name} did not do as asked: {error}") from error

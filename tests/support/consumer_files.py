"""Files of consumers and of a producer, as they should be and as they should not, with members that are there."""

import time
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import yaml

from kafka_lab import LabState
from kafka_lab.admin import settings
from runbook.formats.java_properties import read_properties
from support.given_connections import give

GROUP: Final = "invoicing"
TOPIC: Final = "clicks"
ASSIGNOR: Final = "roundrobin"
"""What the member that is there offers, and so what its group uses."""
_OF_KAFKA: Final = "org.apache.kafka.common.serialization."
_GROUPED: Final = {"group.id": GROUP, "auto.offset.reset": "earliest", "enable.auto.commit": "false"}

RIGHT: Final[Mapping[str, Mapping[str, str]]] = {
    "invoicing-a": {
        **_GROUPED,
        "group.instance.id": "invoicing-a",
        "session.timeout.ms": "30000",
        "isolation.level": "read_committed",
        "partition.assignment.strategy": f"range,{ASSIGNOR}",
        "key.deserializer": f"{_OF_KAFKA}StringDeserializer",
        "value.deserializer": f"{_OF_KAFKA}LongDeserializer",
    },
    "invoicing-b": {**_GROUPED, "session.timeout.ms": "20000", "partition.assignment.strategy": ASSIGNOR},
    "desk": {
        "group.id": "desk",
        "group.protocol": "consumer",
        "auto.offset.reset": "latest",
        "enable.auto.commit": "true",
    },
    "entry": {
        "key.serializer": f"{_OF_KAFKA}StringSerializer",
        "value.serializer": f"{_OF_KAFKA}LongSerializer",
    },
}
WRONG: Final[Mapping[str, Mapping[str, str]]] = {
    "invoicing-a": {
        "group.id": GROUP,
        "auto.offset.reset": "earliest",
        "group.instance.id": "invoicing-a",
        "session.timeout.ms": "3000",
        "max.poll.interval.ms": "3600000",
        "partition.assignment.strategy": "range",
        "key.deserializer": f"{_OF_KAFKA}StringDeserializer",
        "value.deserializer": f"{_OF_KAFKA}StringDeserializer",
    },
    "invoicing-b": {**_GROUPED, "session.timeout.ms": "60000", "partition.assignment.strategy": "sticky"},
    "desk": {**RIGHT["desk"], "session.timeout.ms": "45000"},
    "entry": RIGHT["entry"],
}
_DECLARED: Final[Mapping[str, Any]] = {
    "libraries": ["*=java-4.3"],
    "declared": ["invoicing-*:enable.auto.commit=false", "invoicing-*:auto.offset.reset=earliest"],
    "soon": ["invoicing-b"],
    "committed": ["invoicing-a"],
    "pairs": ["entry=invoicing-a"],
    "restart_ms": 20000,
}
TWO, ONE = "ledger", "audits"
"""Groups of two static members and of one member, who read the same topic of one partition."""


def right_params(small: str) -> dict[str, Any]:
    """What an owner declares who has it all right; the topic has batches as they are by default."""
    return dict(_DECLARED) | {
        "record_ms": ["invoicing-b=10"],
        "reads": [f"invoicing-a={small}"],
        "static": [TWO],
        "active_passive": [TWO],
        "parallel": [ONE],
    }


def wrong_params(large: str) -> dict[str, Any]:
    """What an owner declares who knows their groups badly; the topic takes large batches."""
    return dict(_DECLARED) | {
        "batch_ms": ["invoicing-b=300000"],
        "reads": [f"invoicing-a={large}"],
        "static": [GROUP],
        "active_passive": [GROUP],
        "parallel": [GROUP],
    }


def inventory(
    lab: LabState, folder: Path, files: Mapping[str, Mapping[str, str]], params: Mapping[str, Any]
) -> dict[str, Any]:
    """The lab's inventory with these files, what their owner declared, and a statement that was signed off."""
    folder.mkdir()
    clients = []
    for name, said in files.items():
        file = folder / f"{name}.properties"
        file.write_text("".join(f"{setting}={value}\n" for setting, value in said.items()), "utf-8")
        clients.append({"name": name, "kind": "producer" if name == "entry" else "consumer", "path": str(file)})
    signed = folder / "attestations.yaml"
    signed.write_text(yaml.safe_dump({"attestations": [_statement()]}), "utf-8")
    document: dict[str, Any] = yaml.safe_load(Path(lab.folder, "environments.yaml").read_text("utf-8"))
    environment = document["environments"][lab.name]
    environment["objectives"] = ["availability", "durability", "throughput", "latency"]
    environment["params"] = {"consumers/*": dict(params)}
    give(environment, files={"clients": clients}, records={"attestations": str(signed)})
    return document


def _statement() -> dict[str, str]:
    day = 86400
    at, until = (time.strftime("%Y-%m-%d", time.gmtime(time.time() + days * day)) for days in (-9, 90))
    return {
        "id": "consumers-bear-records-twice",
        "statement": "Records were replayed to a test instance.",
        "by": "The lab",
        "at": at,
        "evidence": "made up for this lab",
        "expires": until,
    }


def written(folder: Path, name: str) -> dict[str, str]:
    """What a client's file says, read back."""
    text = (folder / f"{name}.properties").read_text("utf-8")
    return {entry.name: entry.value for entry in read_properties(text)}


class Members:
    """Members of three groups: one that has six partitions, two static ones that share one, and one that has one."""

    def __init__(self, lab: LabState, single: str) -> None:
        """Start them.

        Args:
            lab: the lab.
            single: a topic of one partition.
        """
        self._joined: set[str] = set()
        self._of = {
            GROUP: {GROUP: self._member(lab, TOPIC, GROUP)},
            TWO: {f"{TWO}-{number}": self._member(lab, single, TWO, f"{TWO}-{number}") for number in (1, 2)},
            ONE: {ONE: self._member(lab, single, ONE)},
        }

    def held(self) -> dict[str, list[int]]:
        """How many partitions the members of each group have, sorted, -1 of one that has not joined.

        They are moved on by that.
        """
        for consumer in self._each():
            consumer.poll(0.2)
        return {
            group: sorted(len(one.assignment()) if name in self._joined else -1 for name, one in there.items())
            for group, there in self._of.items()
        }

    def close(self) -> None:
        """Stop them."""
        for consumer in self._each():
            consumer.close()

    def _each(self) -> list[Any]:
        return [one for there in self._of.values() for one in there.values()]

    def _member(self, lab: LabState, topic: str, group: str, instance: str = "") -> Any:
        """A member of a group, which commits nothing; what it has is told to it, also where that is nothing."""
        from confluent_kafka import Consumer

        settings_: dict[str, Any] = {"group.id": group, "partition.assignment.strategy": ASSIGNOR}
        if instance:  # a static one is gone only when its session ends
            settings_ |= {"group.instance.id": instance, "session.timeout.ms": 6000, "heartbeat.interval.ms": 1000}
        consumer = Consumer(settings(lab) | settings_ | {"enable.auto.commit": False})
        name = instance or group
        consumer.subscribe(
            [topic],
            on_assign=lambda *_: self._joined.add(name),
            on_revoke=lambda *_: self._joined.discard(name),
            on_lost=lambda *_: self._joined.discard(name),
        )
        return consumer


HELD: Final = {GROUP: [6], TWO: [0, 1], ONE: [1]}
"""What the members have once all have joined."""


def refusal(lab: LabState, said: Mapping[str, str]) -> str:
    """What librdkafka says to a consumer with these settings before it asks any broker; "" if it starts."""
    from confluent_kafka import Consumer, KafkaException

    known = {name: value for name, value in said.items() if not name.endswith("deserializer")}
    try:
        Consumer(settings(lab) | known).close()
    except KafkaException as error:
        return str(error)
    return ""


def group_error(lab: LabState, said: Mapping[str, str], within: float = 20.0) -> str:
    """The name of the error with which the coordinator refuses a consumer of another group; "" if it lets it in."""
    from confluent_kafka import Consumer

    own = {
        "group.id": f"{GROUP}-tried",
        "session.timeout.ms": said["session.timeout.ms"],
        "heartbeat.interval.ms": 1000,
    }
    with closing(Consumer(settings(lab) | own)) as consumer:
        consumer.subscribe([TOPIC])
        end = time.monotonic() + within
        while time.monotonic() < end and not consumer.assignment():
            record = consumer.poll(0.5)
            error = None if record is None else record.error()
            if error is not None:
                return str(error.name())
    return ""

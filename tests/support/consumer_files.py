"""Files of consumers and of a producer, as they should be and as they should not, with a member that is there."""

import time
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Final

import yaml

from kafka_lab import LabState
from kafka_lab.admin import settings
from runbook.formats.java_properties import read_properties

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
PARAMS: Final[Mapping[str, Any]] = {
    "libraries": ["*=java-4.3"],
    "declared": ["invoicing-*:enable.auto.commit=false", "invoicing-*:auto.offset.reset=earliest"],
    "soon": ["invoicing-b"],
    "committed": ["invoicing-a"],
    "pairs": ["entry=invoicing-a"],
    "restart_ms": 20000,
}


def inventory(lab: LabState, folder: Path, files: Mapping[str, Mapping[str, str]]) -> dict[str, Any]:
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
    environment["params"] = {"consumers/*": dict(PARAMS)}
    environment["files"] = {"clients": clients}
    environment["records"] = {"attestations": str(signed)}
    for kind in ("files", "records"):
        del environment["absent"][kind]
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
    return {one.name: one.value for one in read_properties(text)}


@contextmanager
def member(lab: LabState) -> Iterator[Any]:
    """A member of the group, which holds all partitions of the topic and commits nothing."""
    from confluent_kafka import Consumer

    told = {"group.id": GROUP, "enable.auto.commit": False, "partition.assignment.strategy": ASSIGNOR}
    with closing(Consumer(settings(lab) | told)) as consumer:
        consumer.subscribe([TOPIC])
        yield consumer


def holds_partitions(consumer: Any) -> bool:
    """Whether the member has been given partitions; it is moved on by that."""
    consumer.poll(0.5)
    return bool(consumer.assignment())


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

    told = {
        "group.id": f"{GROUP}-tried",
        "session.timeout.ms": said["session.timeout.ms"],
        "heartbeat.interval.ms": 1000,
    }
    with closing(Consumer(settings(lab) | told)) as consumer:
        consumer.subscribe([TOPIC])
        end = time.monotonic() + within
        while time.monotonic() < end and not consumer.assignment():
            record = consumer.poll(0.5)
            error = None if record is None else record.error()
            if error is not None:
                return str(error.name())
    return ""

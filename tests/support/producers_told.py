"""Files of producers and what producers write: as it should be, and each wrong in one way."""

import contextlib
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from kafka_lab import LabState
from kafka_lab.admin import change_settings, kafka_python, partitions, settings, topic_setting
from kafka_lab.content import create_topics, delete_topics
from support.evidence.fault import inventory_of
from support.given_connections import give

_LEDGER, _FILMS = "ledger-entries", "packed-films"
_DURABLE: Final = {"min.insync.replicas": "2"}
TOPICS_RIGHT: Final = {_LEDGER: (6, 3, _DURABLE), _FILMS: (1, 3, {**_DURABLE, "compression.type": "zstd"})}
HANGING, MISPLACED, PLAIN, THIN = "hung-payments", "misplaced-keys", "plain-events", "thin-ledger"
TOPICS_WRONG: Final = {
    _LEDGER: (6, 3, _DURABLE),
    _FILMS: (1, 3, {**_DURABLE, "compression.type": "zstd", "max.message.bytes": "10485760"}),
    HANGING: (1, 3, _DURABLE),
    MISPLACED: (2, 3, _DURABLE),
    PLAIN: (1, 3, _DURABLE),
    THIN: (1, 3, {"min.insync.replicas": "1"}),
}
_JAVA: Final = {"key.serializer": "org.apache.kafka.common.serialization.StringSerializer"}
RIGHT: Final[Mapping[str, Mapping[str, str]]] = {
    "billing": {**_JAVA, "acks": "all", "transactional.id": "billing-1", "linger.ms": "5", "compression.type": "zstd"},
    "shop": {"enable.idempotence": "true", "partitioner": "murmur2_random", "compression.type": "zstd"},
}
WRONG: Final[Mapping[str, Mapping[str, str]]] = {
    "hasty": {**_JAVA, "acks": "1", "compression.type": "zstd"},
    "old": {**_JAVA},
    "counted": {**_JAVA, "retries": "3", "compression.type": "zstd"},
    "impatient": {
        **_JAVA,
        "request.timeout.ms": "10000",
        "delivery.timeout.ms": "15000",
        "linger.ms": "0",
        "compression.type": "zstd",
    },
    "bulky": {
        **_JAVA,
        "max.request.size": "5242880",
        "batch.size": "2097152",
        "buffer.memory": "1000000",
        "compression.type": "lz4",
    },
    "slow": {
        **_JAVA,
        "transactional.id": "writer",
        "transaction.timeout.ms": "1800000",
        "compression.type": "zstd",
    },
    "twin": {"enable.idempotence": "true", "transactional.id": "writer", "compression.type": "zstd"},
}
_REPEATS: Final = "payments|clicks"  # the lab writes them without idempotence
PARAMS_RIGHT: Final[Mapping[str, Mapping[str, Any]]] = {
    "*": {
        "libraries": ["billing=java-4.3", "shop=librdkafka-2.16"],
        "writes": [f"billing={_LEDGER}", f"shop={_LEDGER}", f"billing={_FILMS}"],
    },
    "the-buffer-bears-an-outage": {"rates": ["billing=100000"]},
    "producer-settings-are-as-declared": {"declared": ["billing:linger.ms=5"]},
    "keys-are-where-their-hash-puts-them": {"keyed": [_LEDGER]},
    "no-key-is-in-several-partitions": {"keyed": [_LEDGER]},
    "written-partitions-have-idempotent-producers": {"repeats": _REPEATS},
}
PARAMS_WRONG: Final[Mapping[str, Mapping[str, Any]]] = {
    "*": {
        "libraries": ["old=java-2.8", "twin=librdkafka-2.16", "*=java-4.3"],
        "writes": [f"hasty={_LEDGER}", f"bulky={_LEDGER}", f"twin={_LEDGER}", f"bulky={_FILMS}"],
    },
    "the-buffer-bears-an-outage": {"rates": ["bulky=1000000"]},
    "producer-settings-are-as-declared": {"declared": ["old:linger.ms=77"]},
    "keys-are-where-their-hash-puts-them": {"keyed": [MISPLACED]},
    "no-key-is-in-several-partitions": {"keyed": [MISPLACED]},
    "written-partitions-have-idempotent-producers": {"repeats": _REPEATS},
}
_ANY: Final = -1
"""The partition that the producer's partitioner chooses (RD_KAFKA_PARTITION_UA)."""
_ID: Final = "ghost"
_AN_HOUR: Final = 3600
_VERSION: Final = "transaction.version"
_NEWEST: Final = 2
_UNVERIFIED: Final = "transaction.partition.verification.enable"


def inventory(
    lab: LabState,
    folder: Path,
    files: Mapping[str, Mapping[str, str]],
    params: Mapping[str, Mapping[str, Any]],
    may_read: Sequence[str],
) -> dict[str, Any]:
    """The lab's inventory with these files, what their owner declared, and leave to read some records."""
    folder.mkdir()
    clients = []
    for name, said in files.items():
        file = folder / f"{name}.properties"
        file.write_text("".join(f"{setting}={value}\n" for setting, value in said.items()), "utf-8")
        clients.append({"name": name, "kind": "producer", "path": str(file)})
    document = inventory_of(lab)
    environment = document["environments"][lab.name]
    environment["objectives"] = ["durability", "availability", "throughput", "latency"]
    environment["params"] = {f"producers/{check}": dict(values) for check, values in params.items()}
    environment["may_read"] = [*may_read]
    give(environment, files={"clients": clients})
    return document


@contextlib.contextmanager
def all_right(lab: LabState) -> Iterator[None]:
    """Topics that are durable, and records with keys that an idempotent producer wrote as Java's clients place them."""
    try:
        create_topics(lab, TOPICS_RIGHT)
        _write(lab, _LEDGER, {"enable.idempotence": True, "partitioner": "murmur2_random"})
        yield
    finally:
        delete_topics(lab, TOPICS_RIGHT)


@contextlib.contextmanager
def all_wrong(lab: LabState) -> Iterator[None]:
    """A hanging transaction, keys in two partitions, records of a producer that is not idempotent, an old level."""
    try:
        create_topics(lab, TOPICS_WRONG)
        for partition in range(2):
            _write(lab, MISPLACED, {"enable.idempotence": True}, partition=partition)
        _write(lab, PLAIN, {})
        _set_level(lab, 1)
        leave_hanging(lab, HANGING)
        yield
    finally:
        delete_topics(lab, TOPICS_WRONG)
        _set_level(lab, _NEWEST)


def claims_right(lab: LabState) -> Mapping[str, bool]:
    """What shows the first state, by another client."""
    return {
        f"min.insync.replicas of {_LEDGER} is 2": topic_setting(lab, _LEDGER, "min.insync.replicas") == "2",
        f"leaders know a producer of {_LEDGER}": bool(_producers(lab, _LEDGER)),
        "transaction.version is 2": _finalized(lab) == _NEWEST,
    }


def claims_wrong(lab: LabState) -> Mapping[str, bool]:
    """What shows the second, by another client."""
    with kafka_python(lab) as admin:
        state = admin.describe_transactions([_ID])[_ID].state.value
    begun = [one.current_transaction_start_offset for one in _producers(lab, HANGING)]
    return {
        f"a transaction is open in {HANGING}": any(start >= 0 for start in begun),
        f"the coordinator of {_ID} knows no open transaction": state == "Empty",
        f"leaders know no producer of {PLAIN}": not _producers(lab, PLAIN),
        f"{_VERSION} is 1": _finalized(lab) == 1,
        f"min.insync.replicas of {THIN} is 1": topic_setting(lab, THIN, "min.insync.replicas") == "1",
    }


def _finalized(lab: LabState) -> int:
    with kafka_python(lab) as admin:
        _, level = admin.describe_features()[_VERSION]["finalized"]
    return int(level)


def _set_level(lab: LabState, level: int) -> None:
    way = "UPGRADE" if level > _finalized(lab) else "SAFE_DOWNGRADE"
    with kafka_python(lab) as admin:
        admin.update_features({_VERSION: (way, level)})


def _producers(lab: LabState, topic: str) -> list[Any]:
    from kafka import TopicPartition

    place = TopicPartition(topic, 0)
    with kafka_python(lab) as admin:
        found: list[Any] = admin.describe_producers([place])[place].active_producers
    return found


def _write(lab: LabState, topic: str, more: Mapping[str, Any], partition: int = _ANY) -> None:
    from confluent_kafka import Producer

    producer = Producer({**settings(lab), **more})
    for number in range(60):
        producer.produce(topic, key=f"customer-{number}", value="x", partition=partition)
    assert producer.flush(30) == 0


def leave_hanging(lab: LabState, topic: str) -> None:
    """Write a batch of a transaction that no coordinator knows, to partition 0 of a topic.

    Brokers refuse it, unless a setting says otherwise.
    """
    from confluent_kafka import Producer
    from kafka.protocol.producer import ProduceRequest
    from kafka.record.memory_records import MemoryRecordsBuilder

    Producer({**settings(lab), "transactional.id": _ID}).init_transactions(30)
    brokers = [str(broker.number) for broker in lab.brokers]
    change_settings(lab, "broker", {number: {_UNVERIFIED: "false"} for number in brokers})
    try:
        with kafka_python(lab) as admin:
            known = admin.describe_transactions([_ID])[_ID]
            batch = MemoryRecordsBuilder(
                2,
                0,
                1 << 14,
                transactional=True,
                producer_id=known.producer_id,
                producer_epoch=known.producer_epoch,
                base_sequence=0,
            )
            batch.append(int((time.time() - _AN_HOUR) * 1000), b"late", b"record")
            batch.close()
            of_topic = ProduceRequest.TopicProduceData
            request = ProduceRequest(
                transactional_id=_ID,
                acks=-1,
                timeout_ms=10_000,
                topic_data=[
                    of_topic(
                        name=topic,
                        partition_data=[of_topic.PartitionProduceData(index=0, records=batch.buffer())],
                    )
                ],
                max_version=11,  # later versions add the partition to the transaction by themselves
            )
            leader = partitions(lab)[topic][0].leader
            answer = admin._manager.run(admin._manager.send, request, leader)  # it sends no request of one's own else
            [told] = answer.responses[0].partition_responses
            assert told.error_code == 0, told
    finally:
        change_settings(lab, "broker", {number: {_UNVERIFIED: None} for number in brokers})

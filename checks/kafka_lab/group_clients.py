"""The writer and the readers of the lab's groups, as processes: `python -m kafka_lab.group_clients ROLE BOOTSTRAP …`.

Each runs until it is ended. A reader fails at a record that it can't take apart, as an application does that tries
again for ever, and says on its output what holds it up.
"""

import json
import logging
import sys
import time
from collections.abc import Callable
from typing import Any, Final

from runbook.safety.child_process import become, python_module

POISON: Final = b"no parcel"
STAMP_RATE: Final = 5.0
"""Records a second and partition that the writer writes."""
CRASHING_SESSION: Final = 90
"""Seconds for which a group waits for a member that has crashed."""
_COMMITS: Final = 1.0  # seconds between commits
_AGAIN: Final = 0.5
_BACK: Final = 2  # records that `rerun` goes back each second: fewer than are written
_FORMS: Final[dict[str, Callable[[int], str]]] = {
    "number": str,
    "json": lambda now: json.dumps({"written": now}),
    "words": lambda now: f"parcel {now % 97} is on its way",
}
_silent = logging.getLogger("kafka_lab.group_clients")
_silent.addHandler(logging.NullHandler())
_silent.propagate = False


def write(settings: dict[str, Any], topic: str, partitions: int, form: str = "number") -> None:
    """Write to every partition at an even rate; a record tells the time, in milliseconds since 1970.

    Args:
        settings: how the cluster is reached.
        topic: what is written to.
        partitions: how many it has.
        form: `number`; `json`, which readers of old do not know; `words` of a small vocabulary, for who counts them.
    """
    from confluent_kafka import Producer

    producer = Producer(settings | {"acks": "all", "linger.ms": 5})
    while True:
        for number in range(partitions):
            producer.produce(topic, value=_FORMS[form](round(time.time() * 1000)), partition=number)
        producer.poll(0)
        time.sleep(1 / STAMP_RATE)


def read(settings: dict[str, Any], topic: str, group: str, pause: float, name: str = "1", knows: str = "all") -> None:
    """Read as a member of a group and commit once a second what was processed.

    Args:
        settings: how the cluster is reached.
        topic: what is read.
        group: its id.
        pause: seconds that the work on each record takes.
        name: of the member, beside the group's.
        knows: `all` forms of a record, or `number` alone.
    """
    from confluent_kafka import Consumer, TopicPartition

    own = {"group.id": group, "client.id": f"{group}-{name}", "auto.offset.reset": "earliest"}
    consumer = Consumer(settings | own | {"enable.auto.commit": False, "session.timeout.ms": 6000})
    consumer.subscribe([topic])
    done: dict[int, int] = {}
    since = time.monotonic()
    while True:
        record = consumer.poll(0.2)
        if record is not None and record.error() is None:
            number, offset = int(record.partition() or 0), int(record.offset() or 0)
            if _understood(record.value() or b"", knows):
                time.sleep(pause)
                done[number] = offset + 1
            else:
                print(f"{number} {offset}", flush=True)  # noqa: T201 - the lab reads it
                consumer.seek(TopicPartition(topic, number, offset))
                time.sleep(_AGAIN)
        if done and time.monotonic() >= since + _COMMITS:
            _commit(consumer, [TopicPartition(topic, number, offset) for number, offset in done.items()])
            done, since = {}, time.monotonic()


def _understood(value: bytes, knows: str) -> bool:
    """Whether a reader can take a record's value apart."""
    try:
        decoded = int(value) if knows == "number" else json.loads(value)
    except ValueError:
        return False
    return isinstance(decoded, int) or (isinstance(decoded, dict) and "written" in decoded)


def _commit(consumer: Any, places: list[Any]) -> None:
    from confluent_kafka import KafkaException

    try:
        consumer.commit(offsets=places, asynchronous=False)
    except KafkaException as error:  # the group rebalances: what was read since is read again
        print(error, flush=True)  # noqa: T201 - the lab keeps it


def audit(settings: dict[str, Any], topic: str, group: str) -> None:
    """Read as a member of a group with kafka-python, which commits by itself once a second."""
    from kafka import KafkaConsumer

    consumer = KafkaConsumer(
        topic,
        bootstrap_servers=settings["bootstrap.servers"],
        group_id=group,
        client_id=f"{group}-1",
        auto_offset_reset="earliest",
        auto_commit_interval_ms=1000,
        session_timeout_ms=6000,
        heartbeat_interval_ms=2000,
    )
    for _ in consumer:
        pass


def crash(settings: dict[str, Any], topic: str, group: str) -> None:
    """Join a group, crash as soon as it has partitions, without a word to the coordinator, and begin anew.

    The process goes on under its id with another program in it, so that nobody has to start it again.
    """
    from confluent_kafka import Consumer

    own = {"group.id": group, "client.id": f"{group}-crashing", "session.timeout.ms": CRASHING_SESSION * 1000}
    consumer = Consumer(settings | own)
    held: list[Any] = []
    consumer.subscribe([topic], on_assign=lambda _, partitions: held.extend(partitions))
    while not held:
        consumer.poll(0.2)
    print(f"crashed {time.time()}", flush=True)  # noqa: T201 - the lab reads it
    become(python_module("kafka_lab.group_clients", *sys.argv[1:]))


def rerun(settings: dict[str, Any], topic: str, group: str) -> None:
    """Move a group back by some records each second, as a job does that begins so at each start, and then fails."""
    from confluent_kafka import Consumer, TopicPartition

    consumer = Consumer(settings | {"group.id": group, "client.id": f"{group}-again", "enable.auto.commit": False})
    partitions = [TopicPartition(topic, number) for number in consumer.list_topics(topic, 10).topics[topic].partitions]
    while True:
        committed = consumer.committed(partitions, 10)
        back = [
            TopicPartition(topic, partition.partition, partition.offset - _BACK)
            for partition in committed
            if partition.offset >= _BACK
        ]
        if back:
            _commit(consumer, back)
        time.sleep(1)


def hang(settings: dict[str, Any], topic: str, transactional_id: str) -> None:
    """Begin a transaction, write one record to partition 0, and never end it."""
    from confluent_kafka import Producer

    own = {"transactional.id": transactional_id, "transaction.timeout.ms": 900_000}
    producer = Producer(settings | own)
    producer.init_transactions(30)
    producer.begin_transaction()
    producer.produce(topic, value="begun", partition=0)
    producer.flush(30)
    print("begun", flush=True)  # noqa: T201 - the lab waits for it
    while True:
        time.sleep(60)


def main(role: str, bootstrap: str, topic: str, *rest: str) -> None:
    """Play a role."""
    settings = {"bootstrap.servers": bootstrap, "log_level": 0, "logger": _silent}
    if role == "write":
        write(settings, topic, int(rest[0]), *rest[1:])
    elif role == "read":
        read(settings, topic, rest[0], float(rest[1]), *rest[2:])
    else:
        {"audit": audit, "crash": crash, "rerun": rerun, "hang": hang}[role](settings, topic, rest[0])


if __name__ == "__main__":
    main(*sys.argv[1:])

"""The writer and the readers of the lab's groups, as processes: `python -m kafka_lab.group_clients ROLE BOOTSTRAP …`.

Each runs until it is ended. A reader fails at a record whose value is POISON, as an application does that can't parse
it and tries again for ever, and says on its output what holds it up.
"""

import logging
import sys
import time
from typing import Any, Final

POISON: Final = b"no parcel"
STAMP_RATE: Final = 5.0
"""Records a second and partition that the writer writes."""
_COMMITS: Final = 1.0  # seconds between commits
_AGAIN: Final = 0.5
_silent = logging.getLogger("kafka_lab.group_clients")
_silent.addHandler(logging.NullHandler())
_silent.propagate = False


def write(settings: dict[str, Any], topic: str, partitions: int) -> None:
    """Write to every partition at an even rate; the value is the time, in milliseconds since 1970."""
    from confluent_kafka import Producer

    producer = Producer(settings | {"acks": "all", "linger.ms": 5})
    while True:
        for number in range(partitions):
            producer.produce(topic, value=str(round(time.time() * 1000)), partition=number)
        producer.poll(0)
        time.sleep(1 / STAMP_RATE)


def read(settings: dict[str, Any], topic: str, group: str, pause: float) -> None:
    """Read as a member of a group and commit once a second what was processed.

    Args:
        settings: how the cluster is reached.
        topic: what is read.
        group: its id.
        pause: seconds that the work on each record takes.
    """
    from confluent_kafka import Consumer, TopicPartition

    own = {"group.id": group, "client.id": f"{group}-1", "auto.offset.reset": "earliest", "enable.auto.commit": False}
    consumer = Consumer(settings | own | {"session.timeout.ms": 6000})
    consumer.subscribe([topic])
    done: dict[int, int] = {}
    since = time.monotonic()
    while True:
        record = consumer.poll(0.2)
        if record is not None and record.error() is None:
            number, offset = int(record.partition() or 0), int(record.offset() or 0)
            if record.value() == POISON:
                print(f"{number} {offset}", flush=True)  # noqa: T201 - the lab reads it
                consumer.seek(TopicPartition(topic, number, offset))
                time.sleep(_AGAIN)
            else:
                time.sleep(pause)
                done[number] = offset + 1
        if done and time.monotonic() >= since + _COMMITS:
            _commit(consumer, [TopicPartition(topic, number, offset) for number, offset in done.items()])
            done, since = {}, time.monotonic()


def _commit(consumer: Any, places: list[Any]) -> None:
    from confluent_kafka import KafkaException

    try:
        consumer.commit(offsets=places, asynchronous=False)
    except KafkaException as error:  # the group rebalances: what was read since is read again
        print(error, flush=True)  # noqa: T201 - the lab keeps it


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
        write(settings, topic, int(rest[0]))
    elif role == "read":
        read(settings, topic, rest[0], float(rest[1]))
    else:
        hang(settings, topic, rest[0])


if __name__ == "__main__":
    main(*sys.argv[1:])

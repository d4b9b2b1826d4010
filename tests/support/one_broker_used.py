"""What somebody does with a broker, so that there is something to be seen: a topic, some records, a group."""

import time
from typing import Final

from confluent_kafka import Consumer, Producer
from confluent_kafka.admin import AdminClient, NewTopic  # type: ignore[attr-defined]  # its stubs name it not

ABSENT: Final = (
    *("connect", "files", "jolokia", "kubernetes", "prometheus", "records", "schema_registry", "ssh", "tls"),
)
"""What such a broker has not beside it."""
_RECORDS: Final = 20
_WITHIN: Final = 240.0  # seconds


def use(address: str) -> None:
    """Make a topic of three partitions, and have a group read what is written to it.

    Raises:
        AssertionError: the group was not given all of it in time.
    """
    servers: dict[str, str | int | float | bool] = {"bootstrap.servers": address}
    admin = AdminClient(servers)  # held: its answers come to nothing with it
    for made in admin.create_topics([NewTopic("orders", 3, 1)]).values():
        made.result()
    producer = Producer(servers)
    for number in range(_RECORDS):
        producer.produce("orders", str(number).encode())
    assert producer.flush(_WITHIN) == 0
    consumer = Consumer(servers | {"group.id": "billing", "auto.offset.reset": "earliest"})
    try:
        consumer.subscribe(["orders"])
        read, end = 0, time.monotonic() + _WITHIN
        while read < _RECORDS:
            assert time.monotonic() < end, f"the group was given {read} of {_RECORDS} records"
            message = consumer.poll(1)
            read += message is not None and message.error() is None
        consumer.commit(asynchronous=False)
    finally:
        consumer.close()

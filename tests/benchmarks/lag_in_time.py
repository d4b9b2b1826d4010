"""Lag in time against the truth: groups in topics whose records were stamped by a writer; `lag_in_time.py BOOTSTRAP`.

Each situation is a topic of one partition and a group that has committed an offset somewhere in it. The truth is the
timestamp of the record there, read by a consumer. It makes topics that begin with `truth-`, and removes them.
"""

import random
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from confluent_kafka import Consumer, Producer, TopicPartition
from confluent_kafka.admin import AdminClient, NewTopic

from runbook.connections.kafka import connect
from runbook.model.probe import Deadline
from runbook.probes import kafka_group_lag

HOUR, MINUTE = 3600.0, 60.0
DAY = 24 * HOUR
_MOMENT = 0.1  # seconds that its second look may have begun before we noted it
Stamps = Callable[[], Iterator[float]]


class Situation(NamedTuple):
    """A topic and where its group stands.

    Attributes:
        ages: of the records in their order, seconds.
        at: the group's place, as a share of the records.
        config: of the topic.
        unknown: whether it must not be told.
        key: gives a record its key by its number.
    """

    name: str
    ages: Stamps
    at: float = 0.5
    config: dict[str, str] = {}  # noqa: RUF012 - never changed
    unknown: bool = False
    key: Callable[[int], str | None] = lambda _: None


def even(count: int, span: float, last: float = 0.0) -> Stamps:
    """So many records, evenly over a span of seconds that ended so long ago."""
    return lambda: (last + span * (1 - number / count) for number in range(count))


def noisy(stamps: Stamps, most: float, seed: int = 1) -> Stamps:
    """The same, each up to so many seconds earlier or later."""
    chance = random.Random(seed)
    return lambda: (max(0.0, age + chance.uniform(-most, most)) for age in stamps())


def bursts(count: int, each: int, gap: float) -> Stamps:
    """Batches of records of the same millisecond, with a pause between them."""
    return lambda: (gap * (count - number) for number in range(count) for _ in range(each))


def joined(*parts: Stamps) -> Stamps:
    """One after the other."""
    return lambda: (age for part in parts for age in part())


def mixed(*parts: Stamps) -> Stamps:
    """Of each in turn: several writers."""
    return lambda: (age for turn in zip(*(part() for part in parts), strict=True) for age in turn)


def shifted(stamps: Stamps, by: float) -> Stamps:
    """A writer whose clock is so many seconds behind."""
    return lambda: (age + by for age in stamps())


SITUATIONS = [
    Situation("an hour, evenly", even(5000, HOUR)),
    Situation("a week, evenly", even(5000, 7 * DAY)),
    Situation("a week, near its beginning", even(5000, 7 * DAY), 0.01),
    Situation("a week, near its end", even(5000, 7 * DAY), 0.995),
    Situation("the first record of all", even(5000, DAY), 0.0),
    Situation("the last record", even(5000, DAY), 0.9999),
    Situation("one record only", even(1, DAY), 0.0),
    Situation("a hundred thousand in ten minutes", even(100_000, 10 * MINUTE)),
    Situation("batches of a millisecond, hours apart", bursts(24, 200, HOUR)),
    Situation("within the last batch", bursts(24, 200, HOUR), 0.99),
    Situation("a day of silence in the middle", joined(even(2000, HOUR, DAY + HOUR), even(2000, HOUR)), 0.51),
    Situation("silence before it", joined(even(2000, HOUR, DAY + HOUR), even(2000, HOUR)), 0.499),
    Situation("nothing written since yesterday", even(3000, HOUR, DAY)),
    Situation("times that jitter by two seconds", noisy(even(5000, HOUR), 2.0)),
    Situation("times that jitter by a minute", noisy(even(5000, DAY), MINUTE)),
    Situation("two writers, one ten minutes behind", mixed(even(2500, DAY, 1), shifted(even(2500, DAY, 1), 600))),
    Situation("half of it sent again from last week", joined(even(2500, DAY, HOUR), even(2500, DAY, 7 * DAY)), 0.75),
    Situation("a record of the future", joined(even(2500, DAY), lambda: iter([-DAY]), even(5, 1.0)), unknown=True),
    Situation("stamped by the broker", even(2000, DAY), config={"message.timestamp.type": "LogAppendTime"}),
    Situation(
        "compacted",
        even(5000, DAY),
        config={"cleanup.policy": "compact", "segment.ms": "100", "min.cleanable.dirty.ratio": "0.01"},
        key=lambda number: str(number % 50),
    ),
]


def main(bootstrap: str) -> None:
    """Make the situations, look, compare, and remove them."""
    admin = AdminClient({"bootstrap.servers": bootstrap})
    topics = [f"truth-{number}" for number in range(len(SITUATIONS))]
    keep = {"retention.ms": "-1", "message.timestamp.after.max.ms": str(10 * 86_400_000)}
    made = [
        NewTopic(topic, 1, 1, config=keep | situation.config)
        for topic, situation in zip(topics, SITUATIONS, strict=True)
    ]
    for future in admin.create_topics(made).values():
        future.result()
    try:
        truths = [_make(bootstrap, topic, situation) for topic, situation in zip(topics, SITUATIONS, strict=True)]
        rows, asked, took = _look(bootstrap)
        print(f"{asked} requests by time in all, {took:.2f} s with the looks\n")
        print("| situation | truth, s ago | told | wrong by, s | wide, s |\n|---|---|---|---|---|")
        for topic, situation, truth in zip(topics, SITUATIONS, truths, strict=True):
            print(_line(situation, rows[topic], truth))
    finally:
        for future in admin.delete_topics(topics).values():
            future.result()
        admin.delete_consumer_groups(topics)


def _make(bootstrap: str, topic: str, situation: Situation) -> int:
    """Write a topic and commit its group's place; gives the timestamp of the record there, in milliseconds."""
    producer = Producer({"bootstrap.servers": bootstrap, "linger.ms": 20, "queue.buffering.max.messages": 1_000_000})
    now = time.time()
    count = 0
    for count, age in enumerate(situation.ages(), 1):
        stamp = round((now - age) * 1000)
        producer.produce(topic, value=str(stamp), key=situation.key(count), timestamp=stamp)
        if count % 1000 == 0:
            producer.poll(0)
            if "segment.ms" in situation.config:
                producer.flush()  # a segment closes when a batch comes that is younger
    producer.flush()
    if "compact" in situation.config.get("cleanup.policy", ""):
        time.sleep(20)  # the cleaner looks every 15 s
    consumer = Consumer({"bootstrap.servers": bootstrap, "group.id": topic, "enable.auto.commit": False})
    try:
        place = TopicPartition(topic, 0, int(situation.at * count))
        consumer.commit(offsets=[place], asynchronous=False)
        consumer.assign([place])
        record: Any = consumer.poll(10)
        return int(record.timestamp()[1])
    finally:
        consumer.close()


def _look(bootstrap: str) -> tuple[dict[str, dict[str, Any]], int, float]:
    kafka = connect({"bootstrap.servers": bootstrap}, Deadline(60))
    kafka.cluster()
    client = kafka._python
    asked, at, ask = [0], [0.0], client.ask

    def counted(node: int, label: str, request: Any) -> Any:
        if type(request).__name__ == "OffsetFetchRequest":
            at[0] = time.time()  # of the second look in the end: ages are those of then
        if type(request).__name__ == "ListOffsetsRequest":
            asked[0] += any(partition.timestamp > 0 for topic in request.topics for partition in topic.partitions)
        return ask(node, label, request)

    client.ask = counted
    began = time.monotonic()
    rows = kafka_group_lag.observe(kafka, topics=["truth-*"], apart=1).rows
    took = time.monotonic() - began
    kafka.close()
    return (
        {
            row.topic: {"least": row.behind_least, "most": row.behind_most, "untimed": row.untimed, "at": at[0]}
            for row in rows
        },
        asked[0],
        took,
    )


def _line(situation: Situation, row: dict[str, Any], truth: int) -> str:
    age = row["at"] - truth / 1000
    if row["least"] is None:
        right = "as it must be" if situation.unknown else "WRONG"
        return f"| {situation.name} | {age:.1f} | unknown: {row['untimed']} | {right} | |"
    most = row["most"]
    wrong = max(0.0, row["least"] - age - _MOMENT, 0.0 if most is None else age - most - _MOMENT)
    bounds = f"{row['least']:.1f} or more: {row['untimed']}" if most is None else f"{row['least']:.1f} to {most:.1f}"
    wide = "" if most is None else f"{most - row['least']:.1f}"
    return f"| {situation.name} | {age:.1f} | {bounds} | {wrong:.1f} | {wide} |"


if __name__ == "__main__":
    main(sys.argv[1])

"""producers.md walked: a hanging transaction in the topic that is written and read, and keys that are looked for."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

import pytest
from confluent_kafka import Producer

from kafka_lab import LabState
from kafka_lab.admin import partitions, settings
from kafka_lab.content import create_topics, delete_topics
from kafka_lab.waiting import wait_until
from support.careful_walker import FINDS, Walked, does_nothing, edited
from support.forgetful import Notes, Walker, walkers
from support.kept_walks import Keep
from support.numbered_records import GROUP, TOPIC
from support.operators import Operator, completed
from support.producers_told import leave_hanging
from support.two_sites_move import ends, positions

pytestmark = [pytest.mark.live, pytest.mark.thorough, pytest.mark.timeout(1200)]
WITHIN: Final = 240.0  # seconds on a busy machine
FEW: Final = 300  # records behind the transaction, some seconds of writing
KEYED: Final = "keyed"
PARTITIONS: Final = 5
KEYS: Final = ("customer-7", "Zoë", "0", "a key of some length, with spaces")
LISTED: Final = re.compile(rf"^{TOPIC}\s+0\s+\d+\s+\d+\s+-?\d+\s+(\d+)\s", re.MULTILINE)
"""A row of find-hanging, and the first offset of the transaction."""


@pytest.mark.parametrize("walker", walkers())
def test_a_hanging_transaction_is_aborted_and_readers_lose_nothing(
    operator: Operator, healthy_lab: LabState, walker: Walker, notes: Notes, keeps: Keep
) -> None:
    lab, person = healthy_lab, walker(healthy_lab)
    leave_hanging(lab, TOPIC)
    hangs = ends(lab, TOPIC)[0]
    wait_until(lambda: ends(lab, TOPIC)[0] > hangs + FEW, "records behind the transaction", within=WITHIN)
    assert positions(lab, GROUP, TOPIC)[0] < hangs  # the reader reads committed records only
    listed: list[str] = []

    def finds(commands: Sequence[str]) -> None:
        leader = partitions(lab)[TOPIC][0].leader
        operator.types({"ID": str(leader)})(commands)
        listed[:] = LISTED.findall(operator.output)

    def aborts(commands: Sequence[str]) -> None:
        assert len(listed) == 1, f"nobody has listed a transaction: {operator.output}"
        operator.types({"TOPIC": TOPIC, "PARTITION": "0", "OFFSET": listed[0]})(commands)

    def sees_them_advance(_: Sequence[str]) -> None:
        wait_until(lambda: positions(lab, GROUP, TOPIC)[0] > hangs, "the reader to get past it", within=WITHIN)

    asks = edited(operator.types({"ENVIRONMENT": lab.name}), FINDS)
    record = person.walks(
        Walked(operator.folder, "producers#abort-a-hanging-transaction", lab.name),
        [asks, finds, does_nothing, aborts, sees_them_advance],
    )
    notes(person.lines("producers#abort-a-hanging-transaction"))
    assert completed(record), record.entries[-3:]
    operator.counts()
    keeps(record, "plain", person.way, person.noticed, operator.ledger)


@pytest.fixture
def keyed(healthy_lab: LabState) -> Iterator[str]:
    """A topic with records of some keys, put where Java's clients put them."""
    create_topics(healthy_lab, {KEYED: (PARTITIONS, 3, {"min.insync.replicas": "2"})})
    try:
        producer = Producer(settings(healthy_lab) | {"acks": "all", "partitioner": "murmur2_random"})
        for key in KEYS * 3:
            producer.produce(KEYED, key=key.encode(), value=b"x")
        assert producer.flush(WITHIN) == 0
        yield KEYED
    finally:
        delete_topics(healthy_lab, [KEYED])


def test_keys_are_found_where_they_are_computed_to_be(
    operator: Operator, healthy_lab: LabState, keyed: str, keeps: Keep
) -> None:
    lab, words = healthy_lab, {"TOPIC": keyed}
    (operator.folder / "libs").symlink_to(lab.jars)
    counted: list[str] = []
    computed: dict[str, str] = {}

    def counts(commands: Sequence[str]) -> None:
        operator.types(words)(commands)
        counted.extend(re.findall(r"PartitionCount:\s*(\d+)", operator.output))

    def computes(commands: Sequence[str]) -> None:
        for key in KEYS:
            edited(operator.types(words), (r"\bKEY\b", key), (r"% 12\b", f"% {counted[0]}"))(commands)
            [computed[key]] = re.findall(r"^-> +\x08?(\d+)$", operator.output, re.MULTILINE)

    def compares(commands: Sequence[str]) -> None:
        operator.types(words)(commands)
        found = re.findall(r"^Partition:(\d+)\t([^\t]+)\tx$", operator.output, re.MULTILINE)
        assert {(key, partition) for partition, key in found} == {*computed.items()}, operator.output

    walked = Walked(operator.folder, "producers#find-the-partition-of-a-key", lab.name, words=words)
    record = walked.by([counts, computes, compares])
    assert completed(record), record.entries[-3:]
    operator.counts()
    keeps(record, "plain", ledger=operator.ledger)

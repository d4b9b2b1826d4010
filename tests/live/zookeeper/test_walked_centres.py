"""A data centre is lost with its half of ZooKeeper, and comes back: dr.md walked by its text, every record counted."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import pytest

from kafka_lab.admin import partitions, topic_setting
from kafka_lab.waiting import wait_until
from kafka_lab.zookeeper_words import NOT_SERVING, mode
from support.careful_walker import Hand, Walked, does_nothing
from support.evidence.labs import kafka_lab
from support.forgetful import Notes, Walker, ways
from support.kept_walks import Keep
from support.operators import Operator, completed, under_load, with_numbered_topic
from support.two_centres import TwoCentres, nc

pytestmark = [pytest.mark.live, pytest.mark.thorough, pytest.mark.timeout(1800)]
WITHIN: Final = 180.0  # seconds on a busy machine
COPIES: Final = 4
NEEDED: Final = "min.insync.replicas"


@pytest.fixture
def centres(tmp_path: Path) -> Iterator[TwoCentres]:
    """A lab of its own over two data centres: it does not become as it was."""
    with kafka_lab("centres", tmp_path / "labs", ["stretched", "zookeeper"]) as up:
        both = TwoCentres(up)
        with_numbered_topic(up, COPIES)
        yield both


@pytest.fixture
def operator(centres: TwoCentres, tmp_path: Path) -> Iterator[Operator]:
    """Somebody at the lab, where numbered records are written and read in a topic with two copies in each place."""
    said = {"environments": {centres.lab.name: centres.environment()}}
    (tmp_path / "environments.yaml").write_text(json.dumps(said), "utf-8")
    person = Operator(centres.lab, tmp_path)
    nc(person.path)
    with under_load(person, centres.lab, WITHIN):
        yield person


def asks(operator: Operator, centres: TwoCentres, where: str) -> Hand:
    """A hand that asks each of the servers in a place."""
    servers = centres.here if where == "HERE" else centres.there

    def types(commands: Sequence[str]) -> None:
        for server in servers:
            operator.types()(
                [command.replace(f"ZOOKEEPER-{where} 2181", f"127.0.0.1 {server.port}") for command in commands]
            )

    return types


@pytest.mark.parametrize(
    ("onwards", "back"), ways(((3, 6), (1, 3)), ((4,), (2, 4)), ((1, 5, 7), (1, 3)), ((2,), (2, 4)))
)
def test_a_data_centre_with_half_of_zookeeper_is_lost_and_comes_back(
    operator: Operator, centres: TwoCentres, onwards: Walker, back: Walker, notes: Notes, keeps: Keep
) -> None:
    lab = centres.lab
    lowered = [topic for topic in partitions(lab) if topic_setting(lab, topic, NEEDED) == "3"]
    every_topic: Hand = operator.types(*({"TOPIC": topic} for topic in lowered))
    centres.loses()
    wait_until(
        lambda: {mode(server) for server in centres.here} == {NOT_SERVING}, "ZooKeeper to give up", within=WITHIN
    )

    def looks(commands: Sequence[str]) -> None:
        asks(operator, centres, "HERE")(commands)
        if person.way.startswith("without"):
            return  # it may be looked at belatedly, when all is well again
        assert "not currently serving requests" in operator.output
        leaders = {partition.leader for topic in partitions(lab).values() for partition in topic.values()}
        assert leaders & {broker.number for broker in centres.brokers_there}  # as the step says

    def restarts(commands: Sequence[str]) -> None:
        centres.restart_here()
        asks(operator, centres, "HERE")(commands)

    person = onwards(lab)
    record = person.walks(
        Walked(operator.folder, "dr#fail-over-with-zookeeper", lab.name),
        [
            does_nothing,
            looks,
            lambda _: centres.go_alone(),
            restarts,
            does_nothing,
            every_topic,
            does_nothing,
        ],
    )
    notes(person.lines("dr#fail-over-with-zookeeper"))
    assert completed(record), record.entries[-3:]
    operator.counts()
    keeps(record, "two data centres, zookeeper", person.way, person.noticed, operator.ledger)
    operator.starts_reading(lab)
    operator.starts_writing(lab)

    def restarts_and_starts(commands: Sequence[str]) -> None:
        centres.restart_here()
        if person.way == "right":
            assert {mode(server) for server in centres.here} == {NOT_SERVING}  # as the step says
        centres.start(centres.there)
        wait_until(lambda: all(mode(server) for server in centres.there), "them to answer", within=WITHIN)
        asks(operator, centres, "THERE")(commands)

    def starts_brokers(commands: Sequence[str]) -> None:
        centres.start_brokers(centres.brokers_there)
        operator.types()(commands)

    person = back(lab)
    record = person.walks(
        Walked(operator.folder, "dr#fail-back-with-zookeeper", lab.name),
        [lambda _: centres.go_together(), restarts_and_starts, starts_brokers, every_topic],
    )
    notes(person.lines("dr#fail-back-with-zookeeper"))
    assert completed(record), record.entries[-3:]
    assert {topic_setting(lab, topic, NEEDED) for topic in lowered} == {"3"}
    operator.counts()
    keeps(record, "two data centres, zookeeper", person.way, person.noticed, operator.ledger)

"""What follows where nobody is elected, against an oracle that removes brokers and counts, one partition at a time."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import asdict

from runbook.model.fact import Fact, tabulate
from runbook.views import broker_loss
from runbook.views.leader_loss import VIEW, compute


def partitions(*rows: tuple[Any, ...]) -> Fact:
    names = ["topic", "partition", "leader", "replicas", "isr", "elr", "needs", "unclean_leader_election"]
    return Fact("kafka_partition", {name: [row[at] for row in rows] for at, name in enumerate(names)})


def brokers(racks: dict[int, str], fenced: set[int] | None = None) -> Fact:
    down = fenced or set()
    columns = {"broker": [*racks], "rack": [*racks.values()], "fenced": [node in down for node in racks]}
    return Fact("kafka_broker", columns)


def rows(partition: Fact, broker: Fact, **parameters: Any) -> dict[str, dict[str, Any]]:
    seen = tabulate("leader_loss", VIEW.columns, compute(partition=partition, broker=broker, **parameters))
    return {row["scenario"]: row for row in seen.rows()}


THREE = {1: "a", 2: "b", 3: "c"}
ORDERS = partitions(("orders", 0, 1, [1, 2, 3], [1, 2, 3], [], 2, False))


def test_a_partition_led_by_what_is_lost_is_offline():
    lost = rows(ORDERS, brokers(THREE))["broker 1"]
    assert (lost["offline"], lost["refusing_writes"], lost["acks_1_at_risk"]) == (1, 1, 1)
    assert lost["worst_topics"] == ["orders"]


def test_a_copy_that_is_lost_still_counts_as_in_sync_and_is_waited_for():
    lost = rows(ORDERS, brokers(THREE))["broker 2"]
    assert (lost["offline"], lost["refusing_writes"], lost["acks_1_at_risk"]) == (0, 1, 0)


def test_a_copy_that_was_out_of_sync_before_is_not_missed():
    lost = rows(partitions(("orders", 0, 1, [1, 2, 3], [1, 3], [], 2, False)), brokers(THREE))["broker 2"]
    assert lost["partitions"] == 0


def test_a_partition_without_a_leader_stays_so():
    lost = rows(partitions(("orders", 0, -1, [1], [1], [], 1, False)), brokers(THREE, {1}))["broker 2"]
    assert (lost["offline"], lost["acks_1_at_risk"]) == (1, 0)


@pytest.mark.parametrize("cell", [2, 3, 4, 6])
def test_a_partition_of_which_something_is_not_known_is_a_gap_and_no_count(cell: int):
    row = ["orders", 0, 1, [1], [1], [], 1, False]
    row[cell] = None
    seen = compute(partition=partitions(tuple(row)), broker=brokers(THREE))
    assert [gap.keys for gap in seen.gaps] == [{"topic": "orders"}]


@st.composite
def clusters(draw: st.DrawFn) -> tuple[Fact, Fact]:
    nodes = range(1, draw(st.integers(1, 5)) + 1)
    racks = {node: draw(st.sampled_from(["", "a", "b"])) for node in nodes}
    fenced = draw(st.sets(st.sampled_from(nodes)))
    made = []
    for number in range(draw(st.integers(0, 6))):
        replicas = draw(st.lists(st.sampled_from(nodes), min_size=1, max_size=4, unique=True))
        isr = draw(st.lists(st.sampled_from(replicas), unique=True))
        leader = draw(st.sampled_from([-1, *isr]))
        topic = draw(st.sampled_from(["orders", "clicks"]))
        made.append((topic, number, leader, replicas, isr, [], draw(st.integers(1, 4)), draw(st.booleans())))
    return partitions(*made), brokers(racks, fenced)


@given(clusters())
def test_every_scenario_agrees_with_removing_the_brokers_and_is_never_milder_than_with_elections(
    cluster: tuple[Fact, Fact],
):
    partition, broker = cluster
    down = {row["broker"] for row in broker.rows() if row["fenced"]}
    found = rows(partition, broker, brokers=2, racks=True)
    with_elections = [
        asdict(row) for row in broker_loss.compute(partition=partition, broker=broker, brokers=2, racks=True).rows
    ]
    assert [*found] == [row["scenario"] for row in with_elections]
    for elected in with_elections:
        row = found[elected["scenario"]]
        lost = down | set(row["brokers"])
        offline = [row for row in partition.rows() if row["leader"] in lost or row["leader"] < 0]
        refusing = [
            row
            for row in partition.rows()
            if row in offline or set(row["isr"]) & lost or len(row["isr"]) < row["needs"]
        ]
        led = sum(row["leader"] in lost for row in partition.rows())
        assert (row["offline"], row["refusing_writes"], row["acks_1_at_risk"]) == (len(offline), len(refusing), led)
        assert (row["partitions"], row["topics"]) == (
            len(refusing),
            len({partition_["topic"] for partition_ in refusing}),
        )
        assert row["refusing_writes"] >= elected["refusing_writes"]

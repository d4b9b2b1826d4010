"""The what-if, against an oracle that removes brokers and counts, one partition and one scenario at a time."""

import itertools
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runbook.model.fact import Fact, tabulate
from runbook.views.broker_loss import VIEW, compute

NAMES = [column.name for column in VIEW.columns]


def fact(source: str, names: str, rows: list[tuple[Any, ...]], **more: Any) -> Fact:
    columns = names.split()
    return Fact(source, {name: [row[i] for row in rows] for i, name in enumerate(columns)}, **more)


def partitions(*rows: tuple[Any, ...], **more: Any) -> Fact:
    return fact("kafka_partition", "topic partition replicas isr elr needs unclean_leader_election", list(rows), **more)


def brokers(racks: dict[int, str | None], fenced: set[int] = frozenset(), **more: Any) -> Fact:  # type: ignore[assignment]
    return fact("kafka_broker", "broker rack fenced", [(n, r, n in fenced) for n, r in racks.items()], **more)


def rows(partition: Fact, broker: Fact, **parameters: Any) -> dict[str, dict[str, Any]]:
    seen = tabulate("broker_loss", VIEW.columns, compute(partition=partition, broker=broker, **parameters))
    return {row["scenario"]: row for row in seen.rows()}


THREE = {1: "a", 2: "b", 3: "c"}


def test_three_replicas_of_which_two_must_be_in_sync_outlive_any_one_broker() -> None:
    seen = rows(partitions(("orders", 0, [1, 2, 3], [1, 2, 3], [], 2, False)), brokers(THREE))
    assert [row["partitions"] for row in seen.values()] == [0, 0, 0]


def test_two_of_three_lost_stop_writes_but_no_reads_and_lose_no_data() -> None:
    seen = rows(partitions(("orders", 0, [1, 2, 3], [1, 2, 3], [], 2, False)), brokers(THREE), brokers=2)
    both = seen["broker 1 + broker 3"]
    assert both["kind"] == "two brokers"
    assert (both["refusing_writes"], both["offline"], both["at_risk"]) == (1, 0, 0)


def test_an_eligible_replica_keeps_the_data_and_the_partition() -> None:
    with_elr = partitions(("orders", 0, [1, 2, 3], [1], [2], 2, False))
    lost = rows(with_elr, brokers(THREE))["broker 1"]
    assert (lost["refusing_writes"], lost["offline"], lost["at_risk"], lost["already"]) == (1, 0, 0, 1)


def test_unclean_election_keeps_a_partition_online_and_its_data_at_risk() -> None:
    seen = rows(partitions(("clicks", 0, [1, 2], [1], [], 1, True)), brokers(THREE))["broker 1"]
    assert (seen["refusing_writes"], seen["offline"], seen["at_risk"], seen["partitions"]) == (0, 0, 1, 1)


def test_what_is_fenced_is_lost_already_and_no_scenario() -> None:
    seen = rows(partitions(("orders", 0, [1, 2, 3], [1, 3], [], 2, False)), brokers(THREE, fenced={2}), brokers=2)
    assert list(seen) == ["broker 1", "broker 3", "broker 1 + broker 3"]
    assert seen["broker 1"]["refusing_writes"] == 1


def test_a_rack_takes_all_of_its_brokers() -> None:
    racks = {1: "a", 2: "a", 3: "b", 4: ""}
    seen = rows(
        partitions(("orders", 0, [1, 2, 3], [1, 2, 3], [], 2, False)),
        brokers(racks),
        brokers=2,
        racks=True,
    )
    assert (seen["rack a"]["brokers"], seen["rack a"]["racks"]) == ([1, 2], ["a"])
    assert (seen["rack a"]["refusing_writes"], seen["rack a"]["offline"]) == (1, 0)
    assert seen["rack a + broker 3"]["offline"] == 1
    assert "rack a + broker 1" not in seen
    assert {row["kind"] for row in seen.values()} == {"broker", "rack", "two brokers", "rack and broker"}


@pytest.mark.parametrize("cell", [2, 3, 4, 5, 6])
def test_a_partition_of_which_something_is_not_known_is_a_gap_and_no_count(cell: int) -> None:
    row = ["orders", 0, [1], [1], [], 1, False]
    row[cell] = None
    seen = compute(partition=partitions(tuple(row)), broker=brokers(THREE))
    assert [gap.keys for gap in seen.gaps] == [{"topic": "orders"}]
    assert all(row.partitions == 0 for row in seen.rows)


def test_a_broker_of_unknown_rack_makes_racks_incomplete_only() -> None:
    unplaced = brokers({1: "a", 2: None})
    assert not compute(partition=partitions(), broker=unplaced).gaps
    assert compute(partition=partitions(), broker=unplaced, racks=True).gaps


def test_worst_topics_come_first_and_are_at_most_five() -> None:
    many = [(f"t{n}", p, [1], [1], [], 1, False) for n in range(7) for p in range(n + 1)]
    lost = rows(partitions(*many), brokers(THREE))["broker 1"]
    assert lost["worst_topics"] == ["t6", "t5", "t4", "t3", "t2"]
    assert (lost["partitions"], lost["topics"]) == (28, 7)


def test_a_topic_that_goes_offline_is_worse_than_many_partitions_that_refuse_writes() -> None:
    refusing = [("clicks", n, [1, 2], [1, 2], [], 2, False) for n in range(5)]
    offline = ("audit", 0, [1], [1], [], 1, False)
    assert rows(partitions(*refusing, offline), brokers(THREE))["broker 1"]["worst_topics"] == ["audit", "clicks"]


@st.composite
def clusters(draw: st.DrawFn) -> tuple[Fact, Fact]:
    nodes = range(1, draw(st.integers(1, 6)) + 1)
    racks: dict[int, str | None] = {node: draw(st.sampled_from(["", "a", "b", "c"])) for node in nodes}
    fenced = draw(st.sets(st.sampled_from(nodes)))
    made = []
    for number in range(draw(st.integers(0, 8))):
        replicas = draw(st.lists(st.sampled_from(nodes), min_size=1, max_size=4, unique=True))
        isr = draw(st.lists(st.sampled_from(replicas), unique=True))
        elr = [node for node in draw(st.lists(st.sampled_from(replicas), unique=True)) if node not in isr]
        topic = draw(st.sampled_from(["orders", "clicks", "audit"]))
        made.append((topic, number, replicas, isr, elr, draw(st.integers(1, 5)), draw(st.booleans())))
    return partitions(*made), brokers(racks, fenced)


def oracle(partition: Fact, broker: Fact, lost: set[int]) -> tuple[int, int, int, int, set[str]]:
    gone = lost | {row["broker"] for row in broker.rows() if row["fenced"]}
    refusing = offline = at_risk = harmed = 0
    topics = set()
    for row in partition.rows():
        in_sync = [node for node in row["isr"] if node not in gone]
        eligible = [node for node in row["elr"] if node not in gone]
        copies = [node for node in row["replicas"] if node not in gone]
        leader = in_sync[:1] or eligible[:1] or (copies[:1] if row["unclean_leader_election"] else [])
        after = in_sync or leader
        bad = (len(after) < row["needs"], not leader, not in_sync and not eligible)
        refusing, offline, at_risk = refusing + bad[0], offline + bad[1], at_risk + bad[2]
        harmed += any(bad)
        if any(bad):
            topics.add(row["topic"])
    return refusing, offline, at_risk, harmed, topics


@given(clusters())
def test_every_scenario_agrees_with_removing_the_brokers_one_partition_at_a_time(cluster: tuple[Fact, Fact]) -> None:
    partition, broker = cluster
    alive = {row["broker"]: row["rack"] for row in broker.rows() if not row["fenced"]}
    seen = rows(partition, broker, brokers=2, racks=True)
    expected = {f"broker {node}": {node} for node in alive}
    in_rack = {rack: {n for n in alive if alive[n] == rack} for rack in alive.values() if rack}
    expected |= {f"broker {a} + broker {b}": {a, b} for a, b in itertools.combinations(sorted(alive), 2)}
    expected |= {f"rack {rack}": nodes for rack, nodes in in_rack.items()}
    expected |= {f"rack {r} + broker {b}": ns | {b} for r, ns in in_rack.items() for b in alive if b not in ns}
    assert seen.keys() == expected.keys()
    for scenario, lost in expected.items():
        row = seen[scenario]
        refusing, offline, at_risk, harmed, topics = oracle(partition, broker, lost)
        assert row["brokers"] == sorted(lost)
        assert (row["refusing_writes"], row["offline"], row["at_risk"]) == (refusing, offline, at_risk)
        assert (row["partitions"], row["topics"], set(row["worst_topics"])) == (harmed, len(topics), topics)
        assert row["already"] == oracle(partition, broker, set())[0]


def test_work_grows_with_the_partitions_and_not_with_partitions_times_scenarios() -> None:
    def cost(count: int) -> float:
        # Forty brokers: 780 pairs. Partitions times pairs would take minutes.
        made = [
            (f"t{n % 50}", n, r := [n % 40, (n * 7 + 1) % 40, (n * 11 + 2) % 40], r, [], 2, False) for n in range(count)
        ]
        placed = brokers({n: f"r{n % 4}" for n in range(40)})
        start = time.process_time()
        compute(partition=partitions(*made), broker=placed, brokers=2, racks=True)
        return time.process_time() - start

    cost(1_000)
    # The least of several, as other work only ever adds. Four times the rows are 4; with scenarios it would be 780.
    small, large = (min(cost(count) for _ in range(3)) for count in (5_000, 20_000))
    assert large < 40 * small

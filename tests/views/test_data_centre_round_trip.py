from typing import Any

from runbook.model.fact import Fact, tabulate
from runbook.views.data_centre_round_trip import VIEW, compute
from support.placed_brokers import FOUR, SITES, brokers


def trips(*measured: tuple[list[int], list[int], float]) -> Fact:
    """host_round_trip between hosts with these brokers, with the least round trip of each in ms."""
    columns: dict[str, list[Any]] = {
        "host": [f"kafka-{min(ours, default=0)}" for ours, _, _ in measured],
        "peer": [f"kafka-{min(theirs, default=0)}" for _, theirs, _ in measured],
        "brokers": [ours for ours, _, _ in measured],
        "peer_brokers": [theirs for _, theirs, _ in measured],
        "connections": [1] * len(measured),
        "least_ms": [ms for _, _, ms in measured],
        "smoothed_ms": [ms * 2 for _, _, ms in measured],
    }
    return Fact("host_round_trip", columns)


def seen(trip: Fact, broker: Fact | None = None, sites: list[str] | None = None) -> Fact:
    found = compute(broker=broker or brokers(FOUR), trip=trip, sites=SITES if sites is None else sites)
    return tabulate("data_centre_round_trip", VIEW.columns, found)


def test_the_farthest_pair_of_hosts_counts_and_each_pair_once() -> None:
    fact = seen(trips(([1], [2], 4.0), ([2], [1], 5.0), ([3], [4], 9.0), ([1], [3], 70.0)))
    assert fact.complete
    assert list(fact.rows()) == [
        {"data_centre": "east", "other": "west", "pairs": 2, "least_ms": 9.0, "smoothed_ms": 18.0}
    ]


def test_data_centres_without_a_measured_connection_are_unknown() -> None:
    fact = seen(trips(([1], [3], 1.0)))
    assert [(row["pairs"], row["least_ms"]) for row in fact.rows()] == [(0, None)]


def test_every_pair_of_three_is_told() -> None:
    three = brokers({1: "a", 2: "b", 3: "c"})
    fact = seen(trips(([1], [2], 1.0), ([1], [3], 2.0)), broker=three, sites=[])
    assert {(row["data_centre"], row["other"]): row["least_ms"] for row in fact.rows()} == {
        ("a", "b"): 1.0,
        ("a", "c"): 2.0,
        ("b", "c"): None,
    }


def test_a_host_with_brokers_of_two_data_centres_measures_neither() -> None:
    fact = seen(trips(([1, 2], [4], 1.0), ([], [4], 2.0)))
    assert [row["least_ms"] for row in fact.rows()] == [None]
    assert [gap.keys for gap in fact.gaps] == [{"host": "kafka-1"}]


def test_a_broker_of_unknown_place_is_a_gap() -> None:
    fact = seen(trips(([1], [2], 1.0)), broker=brokers({1: "east-1", 2: ""}))
    assert [gap.keys for gap in fact.gaps] == [{"broker": 2}]
    assert len(fact) == 0

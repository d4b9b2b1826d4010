from typing import Any

import pytest

from runbook.model.fact import Fact, Gap, tabulate
from runbook.views.next_loss import VIEW, compute
from support.kafka_facts import brokers, partition, partitions
from support.placed_brokers import voters

WELL = partitions(partition(0, 1, [1, 2, 3]), partition(1, 3, [1, 2, 3]))
TWO_LEFT = partitions(partition(0, 1, [1, 3]), partition(1, 3, [1, 3]), partition(2, 3, [1, 3]))
COMBINED = voters({1: 0, 2: 10, 3: 10})
APART = voters({101: 0, 102: 10, 103: 10})


def rows(partition_: Fact, broker: Fact, quorum: Fact) -> list[dict[str, Any]]:
    return list(tabulate("next_loss", VIEW.columns, compute(partition=partition_, broker=broker, quorum=quorum)).rows())


def test_with_one_of_three_combined_nodes_down_the_next_takes_the_majority_and_what_it_leads() -> None:
    [row] = rows(TWO_LEFT, brokers(2), COMBINED)
    assert (row["majority"], row["brokers"]) == ("lost", [1, 3])
    assert (row["refusing_writes"], row["offline"]) == (3, 2)  # broker 3 leads two


def test_where_controllers_are_nodes_of_their_own_replicas_are_promoted() -> None:
    [row] = rows(TWO_LEFT, brokers(2), APART)
    assert (row["majority"], row["brokers"], row["refusing_writes"], row["offline"]) == ("kept", [1, 3], 3, 0)


def test_where_all_is_well_the_loss_of_one_stops_nothing() -> None:
    [row] = rows(WELL, brokers(), COMBINED)
    assert (row["majority"], row["brokers"], row["refusing_writes"], row["offline"]) == ("kept", [], 0, 0)


def test_losses_that_leave_the_majority_alike_are_told_together_and_others_apart() -> None:
    lost, kept = rows(TWO_LEFT, brokers(2), voters({1: 0, 2: 10, 104: 10}))
    assert (lost["majority"], lost["brokers"], lost["offline"]) == ("lost", [1], 1)
    assert (kept["majority"], kept["brokers"], kept["offline"]) == ("kept", [3], 0)


@pytest.mark.parametrize("silent", [voters({1: 0, 2: 10, 3: 10, 104: None, 105: 10}), voters({1: 0, 2: 10})])
def test_what_becomes_of_the_majority_may_be_unknown(silent: Fact) -> None:
    if None not in silent.columns["last_caught_up_ms"]:
        silent.gaps = [Gap("a voter was not seen")]
    found = rows(TWO_LEFT, brokers(2, fenced=True), silent)
    assert [(row["majority"], row["refusing_writes"], row["brokers"]) for row in found] == [("unknown", 3, [1, 3])]


def test_what_could_not_be_seen_is_not_counted() -> None:
    seen = partitions(partition(0, 1, [1, 3]))
    seen.gaps = [Gap("not all topics")]
    for row in rows(seen, brokers(2), COMBINED):
        assert (row["known"], row["brokers"], row["refusing_writes"], row["offline"]) == (False, None, None, None)

from types import SimpleNamespace
from typing import Any

import pytest

from runbook.answers.kafka import Quorum, Voter
from runbook.model.errors import Denied
from runbook.model.quantity import ControllerId, Offset, Timestamp
from runbook.probes import kafka_quorum
from runbook.probes.kafka_quorum import active_controller, replaced_by


def test_the_voters_of_a_healthy_quorum_keep_up_with_their_leader(healthy: Any):
    fact = healthy.observe("kafka_quorum")
    assert fact.complete
    assert fact.columns["node"] == [1, 2, 3]
    assert fact.columns["voters"] == [3, 3, 3]
    assert sum(fact.columns["leader"]) == 1
    assert all(lag is not None and lag >= 0 for lag in fact.columns["lag"])


def test_a_dead_voter_falls_behind(broker_stopped: Any):
    dead = broker_stopped.row("kafka_quorum", node=3)
    living = broker_stopped.row("kafka_quorum", node=1)
    assert dead["lag"] > living["lag"]
    assert dead["last_caught_up_ms"] > living["last_caught_up_ms"]


def test_in_zookeeper_mode_the_question_has_no_meaning(healthy: Any):
    healthy.recording["requests"].remove(55)
    assert "ZooKeeper mode" in healthy.observe("kafka_quorum").inapplicable


def test_without_the_right_to_ask_nothing_is_known(healthy: Any):
    healthy.python.refused["DescribeQuorum"] = 31
    with pytest.raises(Denied):
        healthy.observe("kafka_quorum")


def test_ages_are_measured_by_the_leaders_clock_and_not_by_ours(healthy: Any):
    fact = healthy.observe("kafka_quorum")  # it was recorded long ago
    ages = dict(zip(fact.columns["node"], fact.columns["last_caught_up_ms"], strict=True))
    [leader] = [node for node, leads in zip(fact.columns["node"], fact.columns["leader"], strict=True) if leads]
    assert ages[leader] == 0
    assert all(0 <= age < 5_000 for age in ages.values())
    assert all(0 <= age < 5_000 for age in fact.columns["last_fetch_ms"])


def one(directory: str, fetched: int, *, voter: bool) -> Voter:
    return Voter(
        node=ControllerId(2),
        directory=directory,
        voter=voter,
        end_offset=Offset(7),
        caught_up_at=Timestamp(fetched),
        fetched_at=Timestamp(fetched),
    )


def test_a_voter_that_runs_on_another_disk_is_told_until_it_is_back_on_its_own():
    old, new = one("old", 50, voter=True), one("new", 90, voter=False)
    assert replaced_by(old, [old, new]) == "new"
    assert replaced_by(new, [old, new]) == ""
    assert replaced_by(old, [old]) == ""
    back = one("old", 100, voter=True)  # who observed stays listed for some minutes
    assert replaced_by(back, [back, new]) == ""


def test_each_node_is_one_row_with_its_directory(healthy: Any):
    fact = healthy.observe("kafka_quorum")
    assert all(len(directory) == 22 for directory in fact.columns["directory"])
    assert fact.columns["replaced_by"] == ["", "", ""]


def quorum(*fetched: int) -> Quorum:
    """A quorum led by node 1, whose clock stands at 1,000,000 ms; the others fetched at these times."""
    nodes = (
        Voter(
            node=ControllerId(node),
            directory="",
            voter=True,
            end_offset=Offset(7),
            caught_up_at=Timestamp(at),
            fetched_at=Timestamp(at),
        )
        for node, at in enumerate((1_000_000, *fetched), 1)
    )
    return Quorum(leader=ControllerId(1), nodes=tuple(nodes))


@pytest.mark.parametrize(
    ("fetched", "leader"),
    [
        ((999_900, 999_900), 1),
        ((999_900, 100_000), 1),
        ((100_000, 100_000), -1),
        ((100_000, -1), 1),  # who never fetched from this leader may be about to
        ((), 1),
        ((999_900, 100_000, 100_000), -1),
    ],
)
def test_a_leader_from_which_no_majority_fetches_is_not_active(fetched: tuple[int, ...], leader: int):
    """A leader of Kafka 3.3 to 3.6 that lost its majority goes on answering (KAFKA-15489)."""
    assert active_controller(quorum(*fetched)) == leader
    asked: Any = SimpleNamespace(is_kraft=lambda: True, quorum=lambda: quorum(*fetched))
    assert any(row.leader for row in kafka_quorum.observe(asked).rows) == (leader == 1)

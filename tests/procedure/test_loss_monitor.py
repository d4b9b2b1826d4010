from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from runbook.model.fact import Fact
from runbook.model.old_gaps import from_sentence
from runbook.parse.inventory import Environment, Target
from runbook.procedure.loss_monitor import sighting
from runbook.procedure.loss_seen import loss_seen
from runbook.procedure.walk_record import Sighting
from runbook.show.walk_page import in_words
from support.evidence import record
from support.small_walks import BEGUN

RECORDED = Path(__file__).parents[1] / "recorded"
CLUSTER = Fact("kafka_cluster", {"cluster_id": ["c"]})
NOBODY = "no bootstrap server answers: 127.0.0.1:1 can't be reached: connection refused"


def brokers(*rows: tuple[int, str, bool | None, bool], gaps: tuple[str, ...] = ()) -> Fact:
    """Brokers with their rack, and whether they are fenced and answer."""
    names = ("broker", "rack", "fenced", "answers")
    columns: dict[str, list[Any]] = {name: [row[at] for row in rows] for at, name in enumerate(names)}
    return Fact("kafka_broker", columns, [from_sentence(gap) for gap in gaps])


def seen(broker: Fact, cluster: Fact = CLUSTER, pin: str = "") -> Sighting:
    """What such facts show."""
    return sighting("step 1", "t", 5, Target("prod", Environment(cluster_id=pin), {}), broker, cluster)


def test_who_serves_is_told_apart_from_who_is_gone_and_from_who_may_be_either():
    fact = brokers((1, "a", False, True), (2, "b", True, False), (3, "b", False, False), (4, "c", True, True))
    look = seen(fact)
    assert (look.serving, look.gone, look.unsure) == ([1], [2], [3, 4])
    assert look.racks == {"a": [1]}
    assert in_words([look]) == "prod: in service 1, gone 2, unsure 3, 4"


def test_a_broker_of_which_its_cluster_does_not_say_whether_it_is_fenced_is_not_gone():
    assert seen(brokers((1, "a", None, False))).unsure == [1]


def test_a_place_where_nothing_answers_is_dark():
    look = seen(brokers(gaps=(NOBODY,)), Fact("kafka_cluster", {"cluster_id": []}, [from_sentence(NOBODY)]))
    assert look.dark
    assert in_words([look]) == "prod: nothing answers"


@pytest.mark.parametrize(
    "reason", ["b:1 does not let us look: SASL", "b:1 did not answer in Kafka's protocol: x", "no"]
)
def test_a_place_that_answers_otherwise_is_not_dark(reason: str):
    look = seen(brokers(gaps=(reason,)))
    assert not look.dark
    assert look.unknown == reason
    assert "could not be seen" in in_words([look])


def test_another_cluster_than_the_pinned_one_shows_nothing():
    look = seen(brokers((1, "a", False, True)), pin="d")
    assert look.serving == []
    assert look.unknown == "this is cluster c; the inventory pins prod to d"


def kept(scene: str, state: str, name: str) -> Sighting:
    """What a look would have shown of a real lab, in a state that is kept of it."""
    bundle = record.read(RECORDED / scene / f"{state}.raw.xz").bundle
    facts = {
        kept.ask.probe: kept.facts[""]
        for kept in bundle.kept
        if kept.ask.environment == name and kept.ask.given == "{}"
    }
    target = Target(name, bundle.environments[name], {})
    return sighting(state, state, 5, target, facts["kafka_broker"], facts["kafka_cluster"])


def test_a_broker_that_was_stopped_for_real_is_seen_lost():
    looks = [kept("plain/stop-broker", state, "plain") for state in ("before", "during", "after")]
    begun = replace(BEGUN, drill=True, loses="broker", environment="plain", target="plain")
    found = loss_seen([begun, *looks])
    assert found.seen, found
    assert not loss_seen([begun, *looks[:2]]).seen
    assert not loss_seen([begun, looks[0], looks[2]]).seen


@pytest.mark.parametrize("scene", ["plain/freeze-broker", "plain/lose-rack"])
def test_other_ways_to_lose_a_broker_for_real_are_seen_too(scene: str):
    looks = [kept(scene, state, "plain") for state in ("before", "during", "after")]
    found = loss_seen([replace(BEGUN, drill=True, loses="rack", environment="plain", target="plain"), *looks])
    assert found.seen, (found, looks)


def test_without_a_majority_of_controllers_nobody_is_counted_out_and_nothing_was_seen_lost():
    looks = [kept("plain/lose-quorum", state, "plain") for state in ("before", "during", "after")]
    found = loss_seen([replace(BEGUN, drill=True, loses="broker", environment="plain", target="plain"), *looks])
    assert "did not answer for a while, yet its cluster never counted it out of service" in found.text


def test_a_primary_that_was_lost_for_real_is_seen_dark():
    before, during = (kept("sites/lose-primary", state, "sites") for state in ("before", "during"))
    assert during.dark
    there = replace(seen(brokers((4, "a", False, True))), stage="during", environment="sites-standby")
    begun = replace(BEGUN, drill=True, loses="source", source="sites", target="sites-standby")
    assert loss_seen([begun, before, during, there]).seen
    assert not loss_seen([begun, before, there]).seen

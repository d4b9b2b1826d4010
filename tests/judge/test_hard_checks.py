"""The three kinds of check that are hardest to write, as the design asks for them: the proof of the format."""

import pytest

from runbook.model.fact import Fact
from runbook.model.link import Mirror
from runbook.model.result import Outcome, Result
from support.small_runbooks import Facts, check_text, fact, inventory, judged, target

pytestmark = pytest.mark.usefixtures("fakes")


def the_result(facts: Facts, block: str, *mirrors: Mirror, environments: tuple[str, ...] = ("prod",)) -> Result:
    ends = inventory(*mirrors, **{name: target(name, {"kafka": {}, "fake": {}}) for name in environments})
    [result] = [result for result in judged(ends, facts, block).results if result.subject_kind == "link" or not mirrors]
    return result


# --- 1: what would be lost: a view over facts that are fetched already

LOSS = check_text(
    """
    facts: {partitions: {probe: kafka_partition}, brokers: {probe: kafka_broker}}
    views: {loss: {view: broker_loss, of: {partition: partitions, broker: brokers}, with: {brokers: 2}}}
    expect: {each: loss, that: loss.offline == 0 && loss.refusing_writes == 0}
    """
)


def brokers(count: int, *gaps: str) -> Fact:
    rows = [{"broker": i, "rack": f"r{i}", "fenced": False, "answers": True} for i in range(count)]
    return fact("kafka_broker", rows, gaps)


def partitions(replicas: list[int], needs: int, *gaps: str) -> Fact:
    row = {
        "topic": "orders",
        "partition": 0,
        "leader": replicas[0],
        "replicas": replicas,
        "isr": replicas,
        "elr": [],
        "needs": needs,
        "unclean_leader_election": False,
    }
    return fact("kafka_partition", [row], gaps)


def lost(partition: Fact, broker: Fact) -> Result:
    return the_result({("prod", "kafka_partition"): partition, ("prod", "kafka_broker"): broker}, LOSS)


def test_four_replicas_of_which_two_must_be_in_sync_stand_the_loss_of_any_two_brokers() -> None:
    result = lost(partitions([0, 1, 2, 3], 2), brokers(5))
    assert (result.outcome, result.judged) == (Outcome.PASS, 5 + 10)


def test_three_replicas_do_not_and_the_losses_that_hurt_are_named() -> None:
    result = lost(partitions([0, 1, 2], 2), brokers(5))
    assert result.outcome is Outcome.FAIL
    assert {row.key["scenario"] for row in result.rows} == {
        "broker 0 + broker 1",
        "broker 0 + broker 2",
        "broker 1 + broker 2",
    }


@pytest.mark.parametrize("gap", ["topics hidden", ""])
def test_what_the_view_could_not_see_is_no_ground_for_a_pass(gap: str) -> None:
    hidden = [gap] if gap else []
    unseen = [] if gap else ["brokers hidden"]
    result = lost(partitions([0, 1, 2, 3], 2, *hidden), brokers(5, *unseen))
    assert (result.outcome, result.reason) == (Outcome.UNKNOWN, gap or "brokers hidden")


# --- 2: a pause against the timeout in force on the same broker: a join on an entity

PAUSE = check_text(
    """
    facts: {gc: {probe: fake_pause}, config: {probe: kafka_broker_config}}
    expect:
      each: gc
      join: {config: broker}
      that: gc.longest < config.session_timeout
      message: "broker {gc.broker} paused {gc.longest} ms, the controller waits {config.session_timeout} ms"
    """
)


def paused(pauses: dict[int, int | None], timeouts: dict[int, int | None], *gaps: str) -> Result:
    facts: Facts = {
        ("prod", "fake_pause"): fact("fake_pause", [{"broker": b, "longest": ms} for b, ms in pauses.items()]),
        ("prod", "kafka_broker_config"): fact(
            "kafka_broker_config", [{"broker": b, "session_timeout": ms} for b, ms in timeouts.items()], gaps
        ),
    }
    return the_result(facts, PAUSE)


def test_pauses_shorter_than_each_brokers_own_timeout_pass() -> None:
    assert paused({1: 5000, 2: 100}, {2: 6000, 1: 9000}).outcome is Outcome.PASS


def test_a_pause_is_compared_with_the_timeout_of_its_own_broker() -> None:
    result = paused({1: 5000, 2: 8000}, {1: 9000, 2: 6000})
    assert result.outcome is Outcome.FAIL
    assert [row.message for row in result.rows] == ["broker 2 paused 8000 ms, the controller waits 6000 ms"]


@pytest.mark.parametrize(
    ("pauses", "timeouts", "gaps", "reason"),
    [
        (
            {1: 1, 2: 1},
            {1: 9000},
            ["broker 2 is silent"],
            "broker 2 is silent; broker 2 is unknown: kafka_broker_config lists only 1",
        ),
        ({1: 1}, {1: None}, [], "config.session_timeout could not be found out"),
        ({1: None}, {1: 9000}, [], "gc.longest could not be found out"),
        ({1: 1}, {1: 9000}, ["broker 2 is silent"], "broker 2 is silent"),
    ],
)
def test_what_either_side_lacks_is_no_ground_for_a_pass(
    pauses: dict[int, int | None], timeouts: dict[int, int | None], gaps: list[str], reason: str
) -> None:
    result = paused(pauses, timeouts, *gaps)
    assert result.outcome is Outcome.UNKNOWN
    assert result.reason.startswith(reason)


def test_how_far_a_probe_looks_back_is_said_with_the_fact() -> None:
    block = PAUSE.replace("{probe: fake_pause}", "{probe: fake_pause, window: 24h}")
    result = the_result({}, block)  # nothing is stored under a question with another window
    assert "fake_pause: the bundle does not hold it" in result.reason


# --- 3: two environments: the subject is a link

MIRRORED = check_text(
    """
    over: link
    facts: {src: {probe: kafka_topic, at: source}, dst: {probe: kafka_topic, at: target}}
    views: {pair: {view: mirrored_topic, of: {source: src, target: dst}}}
    expect: {each: pair, that: pair.present && pair.partitions == pair.source_partitions}
    """
)


def topics(*gaps: str, **counts: int) -> Fact:
    return fact("kafka_topic", [{"name": name, "partitions": count} for name, count in counts.items()], gaps)


def mirrored(source: Fact, copy: Fact) -> Result:
    facts: Facts = {("prod", "kafka_topic"): source, ("dr", "kafka_topic"): copy}
    return the_result(facts, MIRRORED, Mirror("prod", "dr"), environments=("prod", "dr"))


def test_a_link_with_all_topics_and_all_partitions_passes() -> None:
    result = mirrored(topics(orders=6, clicks=3), topics(orders=6, clicks=3, own=1))
    assert (result.outcome, result.subject, result.judged) == (Outcome.PASS, "prod→dr", 2)


def test_a_missing_mirror_and_missing_partitions_are_named() -> None:
    result = mirrored(topics(orders=6, clicks=3, views=1), topics(orders=6, clicks=2))
    assert result.outcome is Outcome.FAIL
    assert [row.key["topic"] for row in result.rows] == ["clicks", "views"]


@pytest.mark.parametrize("end", ["source", "target"])
def test_topics_that_either_end_may_hide_are_no_ground_for_a_pass(end: str) -> None:
    hidden = {"source": [], "target": []} | {end: ["topics may be hidden"]}
    result = mirrored(topics(*hidden["source"], orders=6), topics(*hidden["target"], orders=6))
    assert (result.outcome, result.reason) == (Outcome.UNKNOWN, "topics may be hidden")


def test_a_mirror_that_may_only_be_hidden_is_not_said_to_be_missing() -> None:
    assert mirrored(topics(orders=6), topics("topics may be hidden")).outcome is Outcome.UNKNOWN

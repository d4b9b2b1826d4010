"""Causes of ha.md that no kept state of a real system shows: they hold over facts that say so, and not beside them."""

from collections.abc import Mapping
from typing import Any

import pytest

from runbook.judge.cause import compile_cause, look_for
from runbook.model.block import Cause
from runbook.model.fact import Fact, Gap
from runbook.model.gap_kind import GapKind
from runbook.run.collection.fact_assembly import compute_view
from runbook.run.sources.runbooks import read_all
from runbook.views.controller_majority import REFUSES
from support.kafka_facts import brokers, fact, latencies, partition
from support.small_runbooks import context

_LIST, _RATE = "leader.replication.throttled.replicas", "leader.replication.throttled.rate"
_NO_MOVES = fact("kafka_reassignment", [])


def said(name: str, facts: Mapping[str, Fact]) -> list[str]:
    """What a cause says over facts, of each finding that is certain."""
    (book,) = read_all(["ha"])
    (placed,) = (placed for placed in book.placed() if isinstance(placed.block, Cause) and placed.block.id == name)
    cause = compile_cause(placed)
    params = {word: parameter.default for word, parameter in cause.cause.params.items()}
    views = {
        word: compute_view(view.view, {of: facts[bound] for of, bound in view.of.items()}, {})
        for word, view in cause.cause.views.items()
    }
    looked = look_for(cause, {**facts, **views}, context(params=params))
    return [finding.says for finding in looked.findings if finding.certain]


def paces(*took: int) -> Mapping[str, Any]:
    return {"broker": brokers(), "latency": latencies(*took)}


def test_one_slow_broker_is_slow_and_three_have_something_in_common() -> None:
    one_slow, all_slow = paces(10, 3000, 20), paces(2000, 3000, 2500)
    assert said("broker-is-slow", one_slow) == ["broker 2 (rack b) took up to 3000 ms for an answer"]
    assert said("all-brokers-are-slow", one_slow) == []
    assert said("broker-is-slow", all_slow) == []
    assert said("all-brokers-are-slow", all_slow) == [
        "all 3 brokers that answer are slow: the fastest took up to 2000 ms for an answer"
    ]


def led(*rows: dict[str, Any], broker: Fact | None = None) -> Mapping[str, Fact]:
    return {"partition": fact("kafka_partition", rows), "broker": broker or brokers()}


def test_nobody_can_fetch_from_a_leader_only_where_what_others_lead_is_whole_and_nobody_is_down() -> None:
    cause = "followers-cannot-fetch-from-a-leader"
    alone, whole = partition(0, 2, (2,)), partition(1, 1, (1, 2, 3))
    assert said(cause, led(alone, whole)) == [
        "followers 1, 3 can't fetch from leader 2: it is the only in-sync replica of the one partition that it leads"
    ]
    assert said(cause, led(alone, whole, partition(2, 2, (2, 3)))) == []
    assert said(cause, led(alone, partition(1, 1, (1, 2)))) == []
    assert said(cause, led(alone, whole, broker=brokers(3))) == []


def test_idle_partitions_stay_in_sync_with_a_leader_from_whom_nobody_can_fetch() -> None:
    cause = "followers-cannot-fetch-from-a-leader"
    idle = partition(2, 2, (1, 2, 3))
    alone, other = partition(0, 2, (2,)), partition(0, 2, (2,)) | {"topic": "u"}
    [sentence] = said(cause, led(alone, other, idle))
    assert "the only in-sync replica of 2 of 3 partitions that it leads" in sentence
    assert said(cause, led(alone, idle)) == []  # one topic: it may be written faster than it can be copied
    assert said(cause, led(alone, other, partition(2, 2, (2, 3)))) == []


def controllers(*silent: int, failure: str) -> Mapping[str, Fact]:
    unanswered = Gap("in vain", kind=GapKind.CONTROLLER_SILENT, waited=2.2)
    return {"quorum": fact("kafka_quorum", [], unanswered), "broker": brokers(*silent, failure=failure, fenced=False)}


def test_where_most_refuse_there_is_no_majority_and_where_one_hangs_it_is_not_known_why_no_controller_answers() -> None:
    [lost] = said("no-controller-is-active", controllers(2, 3, failure=REFUSES))
    [hangs] = said("no-controller-is-active", controllers(3, failure="timed out"))
    assert lost.startswith("the controller quorum has no majority")
    assert "not answering: brokers 2, 3" in lost
    assert hangs.startswith("no controller answers")
    assert "not answering: broker 3" in hangs


def test_a_fenced_broker_is_down_whoever_answers_at_its_address() -> None:
    [sentence] = said("broker-is-down", {"broker": brokers(2, failure="another broker")})
    assert "is down or hangs, though something else answers at its address" in sentence
    assert said("broker-is-down", {"broker": brokers(2, failure="another broker", fenced=False)}) == []


def throttled(moved: Fact = _NO_MOVES, isr: tuple[int, ...] = (1, 2)) -> Mapping[str, Fact]:
    return {
        "topic": fact("kafka_topic", [{"name": "t", "overrides": {_LIST: "*"}}]),
        "partition": fact("kafka_partition", [partition(0, 1, isr)]),
        "moved": moved,
        "setting": fact("kafka_broker_setting", [{"broker": 1, "setting": _RATE, "value": "1000"}]),
        "broker": brokers(),
    }


def test_a_throttle_holds_back_what_is_behind_while_nothing_moves() -> None:
    cause = "throttle-holds-replicas-back"
    [sentence] = said(cause, throttled())
    assert "replicas of topic t are held back by a throttle of 1000 bytes/s" in sentence
    assert said(cause, throttled(isr=(1, 2, 3))) == []
    assert said(cause, throttled(moved=fact("kafka_reassignment", [{"topic": "t", "partition": 0}]))) == []


def test_a_directory_that_failed_is_named_with_its_broker() -> None:
    rows = [{"broker": 3, "path": path, "error": error} for path, error in (("/a", ""), ("/b", "KAFKA_STORAGE_ERROR"))]
    [sentence] = said("log-directory-is-offline", {"log_dir": fact("kafka_log_dir", rows)})
    assert sentence.startswith("log directory /b of broker 3 is offline;")


def test_what_to_do_about_a_loss_that_would_hurt_begins_with_what_is_out_of_sync_now() -> None:
    """While a broker is down each of them fails, however well replicas are placed."""
    (book,) = read_all(["ha"])
    checks = [
        check.block for check in book.checks() if "broker_loss" in {view.view for view in check.block.views.values()}
    ]
    assert len(checks) > 3
    for check in checks:
        assert check.remedy.startswith("If replicas are out of sync, restore them first"), check.id


def test_what_to_start_is_a_list_that_is_not_empty_and_nothing_is_brought_back_where_nobody_is_down() -> None:
    """Who is eligible without a replica is never elected: no start of it helps. A leader may be cut off alone."""
    (book,) = read_all(["ha"])
    remedies = {check.block.id: " ".join(check.block.remedy.split()) for check in book.checks()}
    assert "Start the brokers that can lead (see the rows)" in remedies["every-partition-has-a-leader"]
    assert remedies["partitions-take-writes"].startswith("Start the brokers that are down, first")
    assert "If all brokers answer, restart none" in remedies["partitions-take-writes"]


ADVICE = {
    "broker-address-leads-elsewhere": (
        "Correct advertised.listeners",
        "restart that broker alone",
        "elect preferred leaders",
    ),
    "followers-cannot-fetch-from-a-leader": ("Test the path", "ReplicaFetcher", "restart broker"),
    "broker-is-out-of-our-reach": ("from a client's host", "restart this broker or add brokers"),
    "log-directory-is-offline": (
        "No space left on device",
        "After an I/O error, replace the disk",
        "restart other brokers",
    ),
    "broker-is-slow": ("Measure from a second host", "restart the broker before you have measured again"),
    "all-brokers-are-slow": ("Measure from a second host", "restart brokers"),
    "throttle-holds-replicas-back": ("Remove the throttle", "restart brokers that are behind"),
    "no-controller-is-active": ("Start stopped controllers", "format a controller's disk"),
}
"""Cause → what is to be done first and, as the last, what is not: each was wrong or missing in an incident."""


@pytest.mark.parametrize("name", ADVICE)
def test_what_is_to_be_done_first_and_what_is_not_are_those_of_the_incident(name: str) -> None:
    (book,) = read_all(["ha"])
    (cause,) = (placed.block for placed in book.placed() if isinstance(placed.block, Cause) and placed.block.id == name)
    *first, avoid = ADVICE[name]
    assert [words for words in first if words not in " ".join(cause.first.split())] == []
    assert avoid in " ".join(cause.avoid.split())


def test_a_directory_that_failed_may_be_full_or_broken() -> None:
    (book,) = read_all(["ha"])
    (check,) = (check.block for check in book.checks() if check.block.id == "log-directories-work")
    assert "replaced" not in check.effect
    assert "No space left on device" in check.remedy
    assert "I/O error" in check.remedy

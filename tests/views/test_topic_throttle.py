from typing import Any

from runbook.model.fact import Fact, Gap, tabulate
from runbook.views.topic_throttle import VIEW, compute
from support.kafka_facts import brokers, fact, partition

_LIST = "follower.replication.throttled.replicas"
_RATE = "follower.replication.throttled.rate"


def topics(overrides: dict[str, str] | None) -> Fact:
    return fact("kafka_topic", [{"name": "t", "overrides": overrides}])


def rates(*values: str | None, gaps: tuple[Gap, ...] = ()) -> Fact:
    rows = [{"broker": place, "setting": _RATE, "value": value} for place, value in enumerate(values, 1)]
    return fact("kafka_broker_setting", rows, *gaps)


def moves(*topics: str, gaps: tuple[Gap, ...] = ()) -> Fact:
    return fact("kafka_reassignment", [{"topic": name, "partition": 0} for name in topics], *gaps)


def throttle(
    overrides: dict[str, str] | None = {_LIST: "*"},  # noqa: B006 - never changed
    setting: Fact | None = None,
    moved: Fact | None = None,
    broker: Fact | None = None,
    isr: tuple[int, ...] = (1, 2),
) -> dict[str, Any]:
    there = fact("kafka_partition", [partition(0, 1, isr), partition(1, 1, (1, 2, 3))])
    made = compute(
        topic=topics(overrides),
        partition=there,
        moved=moved or moves(),
        setting=setting or rates("9", "7"),
        broker=broker or brokers(),
    )
    [row] = tabulate("topic_throttle", VIEW.columns, made).rows()
    return row


def test_a_list_and_a_limit_hold_back_at_the_rate_of_the_slowest_broker() -> None:
    assert throttle() == {"topic": "t", "rate": 7, "moving": False, "behind": [3]}


def test_a_list_without_a_limit_or_a_limit_without_a_list_holds_nobody_back() -> None:
    assert throttle(setting=rates(str(2**63 - 1), ""))["rate"] == -1
    assert throttle(overrides={_LIST: "none", "retention.ms": "1"})["rate"] == -1


def test_a_topic_that_is_being_moved_has_its_throttle_for_that() -> None:
    assert throttle(moved=moves("t"))["moving"] is True
    assert throttle(moved=moves("another"))["moving"] is False


def test_who_is_down_is_not_behind_for_a_throttle() -> None:
    assert throttle(broker=brokers(3))["behind"] == []
    assert throttle(isr=(1,), broker=brokers(3))["behind"] == [2]


def test_what_is_not_seen_is_not_known() -> None:
    unseen = (Gap("not seen"),)
    assert throttle(setting=rates(gaps=unseen))["rate"] is None
    assert throttle(setting=rates("9", gaps=unseen))["rate"] == 9
    assert throttle(setting=rates("9", None))["rate"] is None
    assert throttle(overrides=None)["rate"] is None
    assert throttle(moved=moves(gaps=unseen))["moving"] is None
    cut_off = brokers(3)
    cut_off.columns["in_service"][2] = None
    assert throttle(broker=cut_off)["behind"] is None

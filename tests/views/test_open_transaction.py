from typing import Any

import pytest

from runbook.model.fact import Gap
from runbook.views.open_transaction import OpenTransaction, compute
from support.kafka_facts import fact

LAG: dict[str, Any] = {"group": "billing", "topic": "orders", "partition": 3, "stable": 800, "end": 900}
HOUR = "3600000"


def one(
    age: float | None,
    *limits: str | None,
    most: float | None = None,
    gaps: tuple[Gap, ...] = (),
    longest: int = 0,
) -> OpenTransaction:
    settings = [
        {"broker": broker, "setting": "transaction.max.timeout.ms", "value": limit}
        for broker, limit in enumerate(limits, 1)
    ]
    of_lag = LAG | {"open_least": age, "open_most": age if most is None else most}
    lag, setting = fact("kafka_group_lag", [of_lag]), fact("kafka_broker_setting", settings, *gaps)
    [row] = compute(lag=lag, setting=setting, longest=longest).rows
    assert isinstance(row, OpenTransaction)
    return row


@pytest.mark.parametrize(
    ("age", "limits", "overdue"),
    [
        (1200.0, ("900000",), True),
        (1200.0, ("900000", HOUR), False),
        (120.0, ("60000",), True),
        (0.0, (), False),
        (1.0, (), None),
        (None, (HOUR,), None),
        (4000.0, (HOUR, None), None),
        (1200.0, (HOUR, None), False),
    ],
)
def test_the_largest_limit_of_a_broker_counts(
    *, age: float | None, limits: tuple[str | None, ...], overdue: bool | None
):
    assert one(age, *limits).overdue is overdue


@pytest.mark.parametrize(("most", "overdue"), [(900.0, False), (901.0, None), (100000.0, None)])
def test_one_that_may_be_open_for_longer_is_not_said_to_be_within_the_limit(*, most: float, overdue: bool | None):
    assert one(60.0, "900000", most=most).overdue is overdue


def test_an_age_without_an_upper_bound_is_not_within_the_limit():
    lag = fact("kafka_group_lag", [LAG | {"open_least": 60.0, "open_most": None}])
    setting = fact("kafka_broker_setting", [{"broker": 1, "setting": "transaction.max.timeout.ms", "value": HOUR}])
    assert [row.overdue for row in compute(lag=lag, setting=setting).rows] == [None]


def test_a_silent_broker_may_allow_more():
    silent = Gap("broker 2 is silent", {"broker": 2})
    assert one(1200.0, "900000", gaps=(silent,)).overdue is None
    assert one(800.0, "900000", gaps=(silent,)).overdue is False


def test_a_limit_that_was_given_counts_alone():
    assert one(1200.0, HOUR, longest=900).overdue is True
    assert one(1200.0, longest=1500).longest == 1500

"""When twice as many fetchers are recommended."""

import pytest

from runbook.views.recommended_fetcher_count import RecommendedFetcherCount, compute
from support.kafka_facts import fact


def of(lag: int | None, idle: float | None, value: str | None = "2") -> RecommendedFetcherCount:
    observed = compute(
        setting=fact("kafka_broker_setting", [{"broker": 1, "setting": "num.replica.fetchers", "value": value}]),
        replication=fact("broker_replication", [{"broker": 1, "max_lag": lag}]),
        load=fact("broker_load", [{"broker": 1, "handler_idle": 0.9}, {"broker": 2, "handler_idle": idle}]),
    )
    row = next(iter(observed.rows))
    assert isinstance(row, RecommendedFetcherCount)
    return row


def test_twice_as_many_where_followers_lag_and_leaders_have_time() -> None:
    row = of(200000, 0.5)
    assert (row.in_force, row.recommended, row.place) == ("2", "4", "Kafka: broker 1")
    assert "a broker that has just restarted" in row.warning


@pytest.mark.parametrize(("lag", "idle"), [(100000, 0.5), (200000, 0.2)])
def test_those_in_force_otherwise(lag: int, idle: float) -> None:
    assert of(lag, idle).change is False


@pytest.mark.parametrize(("lag", "idle", "value"), [(None, 0.5, "2"), (200000, None, "2"), (200000, 0.5, None)])
def test_what_is_not_known_is_named(lag: int | None, idle: float | None, value: str | None) -> None:
    row = of(lag, idle, value)
    assert (row.change, row.recommended) == (None, None)
    assert row.lacking

"""The formulas for what a consumer waits for and how much it fetches."""

from runbook.model.fact import Fact
from runbook.views.recommended_consumer_setting import RecommendedConsumerSetting, compute
from support.kafka_facts import fact

NAME = {"application": "billing", "client": "billing-1"}
MIB = 1_048_576


def of(
    setting: str, objective: str = "throughput", said: dict[str, str] | None = None, **seen: float | None
) -> RecommendedConsumerSetting:
    here = {"limit": 2 * MIB, "room": 25 * MIB, "size": 1000.0, "fill": 0.0005, "rate": 50.0, "max_lag": 0.0, **seen}
    latency = here.pop("fetch_latency", 18.0)
    files = [
        {"client": "billing", "kind": "consumer", "setting": name, "value": value, "file": "f", "line": 3}
        for name, value in (said or {}).items()
    ]
    observed = compute(
        fetch=Fact("consumer_fetch", {name: [cell] for name, cell in {**NAME, **here}.items()}),
        consumer=fact("client_consumer", [{**NAME, "max_lag": here["max_lag"], "fetch_latency": latency}]),
        config=fact("client_config", files)
        if files
        else fact("client_config", [dict.fromkeys(("client", "kind", "setting", "value", "file", "line"), "")]),
        libraries=["billing=java-4.3"],
    )
    [row] = [row for row in observed.rows if (row.setting, row.objective) == (setting, objective)]  # type: ignore[attr-defined]
    assert isinstance(row, RecommendedConsumerSetting)
    return row


def test_a_broker_that_is_asked_often_is_asked_for_what_comes_in_a_tenth_of_a_second() -> None:
    row = of("fetch.min.bytes")
    assert (row.in_force, row.place, row.recommended) == ("1", "default of java 4.3", "5000")
    assert row.trade == "up to 100 ms more for each record; about 10 fetches/s instead of 50"
    assert of("fetch.max.wait.ms").recommended == "100"
    assert of("fetch.min.bytes", rate=10.0).change is False
    assert of("fetch.max.wait.ms", rate=10.0).change is False
    assert of("fetch.min.bytes", said={"fetch.min.bytes": "4000"}).change is False


def test_latency_asks_for_the_first_record() -> None:
    assert of("fetch.min.bytes", "latency").change is False
    assert of("fetch.min.bytes", "latency", said={"fetch.min.bytes": "4000"}).recommended == "1"


def test_full_fetches_of_a_consumer_that_is_behind_grow_to_what_a_fetch_may_bring() -> None:
    full = {"fill": 0.95, "size": 1.9 * MIB}
    assert of("max.partition.fetch.bytes", max_lag=5000.0, **full).recommended == str(25 * MIB)
    assert of("max.partition.fetch.bytes", **full).change is False
    assert of("fetch.min.bytes", **full).change is False
    assert of("max.partition.fetch.bytes", max_lag=5000.0).change is False
    assert of("max.partition.fetch.bytes", max_lag=None, **full).change is None


def test_full_fetches_of_a_slow_application_stay_as_they_are() -> None:
    slow = {"fill": 0.95, "size": 1.9 * MIB, "max_lag": 250000.0, "rate": 0.04}
    row = of("max.partition.fetch.bytes", fetch_latency=5.0, **slow)
    assert row.change is False
    assert "its application is the limit" in row.inputs
    assert of("max.partition.fetch.bytes", fetch_latency=None, **slow).change is None


def test_what_is_not_shown_is_named() -> None:
    assert of("fetch.min.bytes", rate=None).lacking.startswith("fetch-rate")
    assert of("max.partition.fetch.bytes", fill=None).lacking.startswith("fetch-rate")

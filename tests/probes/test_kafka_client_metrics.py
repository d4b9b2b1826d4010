"""Subscriptions to clients' metrics, as brokers tell of them."""

from collections.abc import Callable, Mapping
from types import SimpleNamespace
from typing import Any

import pytest

from runbook.model.errors import Denied

Play = Callable[[str], Any]
LISTED, ASKED = 74, 71  # ListConfigResources, GetTelemetrySubscriptions
THERE = {"metrics": "org.apache.kafka.consumer.poll, *", "interval.ms": "60000", "match": "client_id=billing.*"}


@pytest.fixture
def played(play: Play) -> Any:
    found = play("offsets")
    found.recording["requests"] = [*{*found.recording["requests"], LISTED, ASKED}]
    return found


def tell(played: Any, settings: Mapping[str, Mapping[str, str] | int], refused: int = 0) -> list[Any]:
    """Let brokers tell of subscriptions, or refuse with a code; gives what was asked."""
    sent: list[Any] = []

    def result(name: str, said: Mapping[str, str] | int) -> Any:
        entries = [] if isinstance(said, int) else [SimpleNamespace(name=key, value=said[key]) for key in said]
        code = said if isinstance(said, int) else 0
        return SimpleNamespace(resource_name=name, error_code=code, configs=entries)

    def ask_any(build: Callable[[], Any], *, waits_for: str = "") -> Any:
        del waits_for
        sent.append(build())
        if hasattr(sent[-1], "resource_types"):
            listed = [SimpleNamespace(resource_name=name, resource_type=16) for name in settings]
            return SimpleNamespace(error_code=refused, config_resources=[] if refused else listed)
        return SimpleNamespace(
            results=[result(name, settings[name]) for name in (resource[1] for resource in sent[-1].resources)]
        )

    played.python.ask_any = ask_any
    return sent


def test_all_subscriptions_are_told_with_their_settings_and_a_name_that_is_none_without(played: Any):
    sent = tell(played, {"consumers": THERE})
    fact = played.observe("kafka_client_metrics", subscriptions=["nothing", "consumers"])
    assert [*fact.rows()] == [
        {
            "subscription": "nothing",
            "exists": False,
            "received": True,
            "metrics": [],
            "interval": 0,
            "match": [],
        },
        {
            "subscription": "consumers",
            "exists": True,
            "received": True,
            "metrics": ["org.apache.kafka.consumer.poll", "*"],
            "interval": 60000,
            "match": ["client_id=billing.*"],
        },
    ]
    assert fact.complete
    assert sent[0].resource_types == [16]
    assert sent[1].resources == [(16, "consumers", None)]


def test_what_is_not_set_is_as_kafka_has_it(played: Any):
    tell(played, {"consumers": {"metrics": "*"}})
    [row] = played.observe("kafka_client_metrics").rows()
    assert (row["interval"], row["match"]) == (300000, [])


def test_without_a_plugin_brokers_do_not_know_the_request_and_take_nothing(played: Any):
    played.recording["requests"].remove(ASKED)
    tell(played, {"consumers": THERE})
    [row] = played.observe("kafka_client_metrics").rows()
    assert (row["exists"], row["received"]) == (True, False)


def test_one_that_may_not_be_described_is_not_known(played: Any):
    tell(played, {"consumers": 31})  # CLUSTER_AUTHORIZATION_FAILED
    fact = played.observe("kafka_client_metrics")
    assert [*fact.rows()] == []
    assert [gap.keys for gap in fact.gaps] == [{"subscription": "consumers"}]


def test_who_may_not_list_them_is_refused_and_does_not_see_none(played: Any):
    tell(played, {}, refused=31)
    with pytest.raises(Denied, match="DescribeConfigs on the cluster"):
        played.observe("kafka_client_metrics")


def test_older_brokers_have_none(played: Any):
    played.recording["requests"].remove(LISTED)
    fact = played.observe("kafka_client_metrics")
    assert fact.inapplicable == "the brokers are older than Kafka 3.7 and ask no metrics of clients"


def test_where_there_is_none_nothing_is_described(played: Any):
    sent = tell(played, {})
    fact = played.observe("kafka_client_metrics")
    assert ([*fact.rows()], fact.complete, len(sent)) == ([], True, 1)

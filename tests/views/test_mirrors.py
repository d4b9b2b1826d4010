import re

import pytest

from runbook.views._mirrors import meant, policy, state
from support.documented import ROOT


@pytest.mark.parametrize("name", ["orders", "eu.orders", "heartbeat", "my_internal", "a-b", "connections"])
def test_every_topic_is_meant_if_nothing_else_is_said(name: str) -> None:
    assert meant(None, None)(name)


@pytest.mark.parametrize(
    "name",
    [
        "__consumer_offsets",
        "heartbeats",
        "us.heartbeats",
        "mm2-offset-syncs.us.internal",
        "us.checkpoints.internal",
        "orders.replica",
        "app-counts-changelog",
        "app-KSTREAM-AGGREGATE-STATE-STORE-0000000003-repartition",
        "connect-offsets",
        "_schemas",
    ],
)
def test_what_has_a_meaning_on_one_cluster_only_is_not_meant(name: str) -> None:
    assert not meant(["*"], [])(name)


def test_state_is_meant_where_it_is_named() -> None:
    wanted = meant(["*", "app-*"], None)
    assert wanted("app-counts-changelog")
    assert not wanted("other-counts-changelog")
    assert not meant(["*"], ["orders-*"])("orders-raw")
    assert not meant(["orders*"], None)("clicks")


@pytest.mark.parametrize(
    ("name", "whose"),
    [
        ("app-counts-changelog", "changelog of Streams"),
        ("app-by-key-repartition", "repartition topic of Streams"),
        ("_confluent-ksql-default__command_topic", "state of ksqlDB"),
        ("team-connect-configs", "state of Connect"),
        ("connect-cluster-offsets", "state of Connect"),
        ("mirrormaker2-cluster-status", "state of Connect"),
        ("_schemas", "schemas of a registry"),
        ("kafkasql-snapshots", "schemas of a registry"),
        ("orders", ""),
        ("changelog", ""),
    ],
)
def test_whose_state_a_topic_is_shows_in_its_name(name: str, whose: str) -> None:
    assert state(name) == whose


@pytest.mark.parametrize(
    "topic",
    [
        "shop-totals-changelog",
        "shop-totals-repartition",
        "shop-JOIN-subscription-registration-topic",
        "shop-KSTREAM-AGGREGATE-STATE-STORE-0000000003-window",
        "_confluent-ksql-default_query_CTAS_1-Aggregate",
        "default_ksql_processing_log",
        "connect-configs",
        "eu-connect-offsets",
        "_schemas",
        "kafkasql-journal",
    ],
)
def test_the_remedy_leaves_out_every_state_that_the_check_finds(topic: str) -> None:
    remedy = (ROOT / "runbooks/dr.md").read_text("utf-8").split("id: no-state-of-applications-is-mirrored")[1]
    patterns = re.search(r"Add `([^`]*)` to `topics.exclude`", remedy)
    assert patterns
    assert state(topic)
    assert any(re.fullmatch(one.strip(), topic) for one in patterns[1].split(","))


def test_the_order_of_policies_means_nothing() -> None:
    assert policy("delete,compact") == policy("compact, delete") == "compact,delete"
    assert policy(None) is None

"""Causes that no kept state of a real system shows: they hold over facts that say so, and not beside them."""

import pytest

from runbook.model.fact import Fact
from support.kafka_facts import brokers, fact
from support.said_causes import findings, said


def workers(*silent: int) -> Fact:
    rows = [{"worker": f"mm-{n}", "id": f"mm-{n}:8083", "answers": n not in silent} for n in (1, 2)]
    return fact("connect_worker", rows)


def levels(*answers: str | None) -> Fact:
    rows = [
        {"instance": f"http://sr-{n}", "answers": True, "compatibility": level} for n, level in enumerate(answers, 1)
    ]
    return fact("schema_registry", rows)


def allowed(*, to: str = "User:*", what: str = "Read", kind: str = "Topic", name: str = "*") -> Fact:
    row = {"principal": to, "host": "*", "operation": what, "permission": "Allow", "resource_type": kind}
    return fact("kafka_acl", [row | {"resource": name, "pattern": "Literal"}])


def test_workers_that_are_silent_are_one_cause_however_many_they_are() -> None:
    name = "worker-of-the-flow-is-silent"
    kafka = fact("kafka_cluster", [{"cluster_id": "of-the-standby"}])
    assert said("dr", name, {"asked": workers(), "cluster": kafka}) == []
    [sentence] = said("dr", name, {"asked": workers(2), "cluster": kafka})
    [both] = said("dr", name, {"asked": workers(1, 2), "cluster": kafka})
    assert sentence.startswith("Kafka Connect worker mm-2 does not answer")
    assert both.startswith("2 Kafka Connect workers (the first is mm-1) do not answer")


def test_instances_that_tell_other_levels_are_of_two_registries_and_none_of_them_is_called_unguarded() -> None:
    two, unguarded = "instances-are-of-two-registries", "registry-guards-nothing"
    [apart] = said("schema-governance", two, {"registry": levels("FULL", "NONE")})
    assert "http://sr-1 has the level FULL, others have [NONE]" in apart
    assert said("schema-governance", unguarded, {"registry": levels("FULL", "NONE")}) == []
    assert said("schema-governance", two, {"registry": levels("NONE", "NONE")}) == []
    assert len(said("schema-governance", unguarded, {"registry": levels("NONE", "NONE")})) == 1
    assert said("schema-governance", two, {"registry": levels("FULL", None)}) == []


def test_a_broker_that_is_not_registered_is_called_gone_and_one_that_is_fenced_is_called_so() -> None:
    gone = brokers(2)
    gone.columns["host"][1], gone.columns["port"][1], gone.columns["rack"][1] = "", -1, None
    gone.columns["unregistered"] = [False, True, False][: len(gone)]
    assert said("ha", "broker-is-down", {"broker": gone}) == []
    [said_of_it] = said("ha", "broker-is-not-registered", {"broker": gone})
    assert said_of_it.startswith("broker 2 is not registered, but partitions have replicas on it")
    [said_of_it] = said("ha", "broker-is-down", {"broker": brokers(2)})
    assert said_of_it.endswith("; the controller has fenced it")


def test_an_acl_that_opens_every_topic_to_everybody_is_a_cause_and_one_that_shows_them_is_none() -> None:
    name = "an-acl-opens-everything-to-all-users"
    [read] = said("security", name, {"acl": allowed()})
    assert read.startswith("an ACL allows User:* Read on every resource of type Topic")
    for other in (
        allowed(what="Describe"),
        allowed(kind="Group"),
        allowed(name="public"),
        allowed(to="User:alice"),
    ):
        assert said("security", name, {"acl": other}) == []
    assert len(said("security", name, {"acl": allowed(what="All", kind="Group")})) == 1


def test_a_certificate_that_ends_in_hours_says_hours() -> None:
    row = {"endpoint": "h:1", "position": 0, "subject": "CN=h", "issuer": "CN=ca"}
    row |= {"not_before": "2026-01-01T00:00:00.000Z", "not_after": "2026-11-24T05:00:00.000Z"}
    [hours] = said("security", "certificate-ends-soon", {"certificate": fact("tls_certificate", [row])})
    assert "expires in 5 h, at" in hours
    row["not_after"] = "2026-12-04T05:00:00.000Z"
    [days] = said("security", "certificate-ends-soon", {"certificate": fact("tls_certificate", [row])})
    assert "expires in 10 days, at" in days


def test_collections_that_were_asked_for_are_a_cause_where_they_are_many_and_more_than_the_heap_forced() -> None:
    def log(asked: int, forced: int) -> dict[str, Fact]:
        row = {"broker": 1, "asked_for": asked, "forced": forced, "longest": 9.0, "collector": "g1"}
        return {"gc": fact("jvm_gc_log", [row])}

    assert len(said("gc", "collections-are-asked-for", log(3, 0))) == 1
    assert said("gc", "collections-are-asked-for", log(2, 0)) == []
    assert said("gc", "collections-are-asked-for", log(3, 3)) == []


@pytest.mark.parametrize(
    ("topic", "age", "proof", "first"),
    [
        ({"retention_ms": 10_000}, 12.0, "retention by time may have", "--add-config retention.ms=604800000"),
        ({"retention_ms": 604_800_000}, 60.0, "far younger than retention.ms", "--add-config retention.ms=1209600000"),
        ({"retention_ms": 604_800_000, "retention_bytes": 60_000}, 60.0, "retention by size or by time", "=1209600000"),
        ({"retention_ms": -1}, 60.0, "retention deletes nothing in this topic", "(retention.ms is -1 already)"),
        ({"retention_ms": 604_800_000, "cleanup_policy": "compact"}, 60.0, "retention deletes nothing", "Find the"),
    ],
)
def test_what_deleted_unread_records_is_told_by_what_the_topic_keeps_and_what_is_in_force_is_not_advised(
    topic: dict[str, object], age: float, proof: str, first: str
) -> None:
    lag = {"group": "billing", "topic": "orders", "partition": 0, "commits": True, "committed": 5, "begin": 9, "lag": 1}
    seen = {"name": "orders", "cleanup_policy": "delete", "retention_bytes": -1} | topic
    facts = {
        "lag": fact(
            "kafka_group_lag", [lag | {"deleted": 4, "behind_most": age, "members": 1, "untimed": "", "dated": ""}]
        ),
        "topic": fact("kafka_topic", [seen]),
    }
    [found] = findings("consumers", "records-go-before-they-are-read", facts)
    assert "to retention" not in found.says
    assert proof in found.proof[1]
    assert first in found.first


def test_where_records_are_dated_in_the_past_retention_is_paused_instead_of_raised() -> None:
    lag = {"group": "billing", "topic": "orders", "partition": 0, "commits": True, "committed": 5, "begin": 9, "lag": 1}
    lag |= {"deleted": 4, "behind_most": None, "members": 1, "untimed": "it is dated 1794192585 s ago", "dated": "past"}
    topic = {"name": "orders", "cleanup_policy": "delete", "retention_bytes": -1, "retention_ms": 604_800_000}
    facts = {"lag": fact("kafka_group_lag", [lag]), "topic": fact("kafka_topic", [topic])}
    [found] = findings("consumers", "records-go-before-they-are-read", facts)
    assert "Pause retention now" in found.first
    assert "--add-config retention.ms=-1" in found.first

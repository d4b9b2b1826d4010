"""What every recovery keeps to, tried on what was seen of real systems."""

from functools import partial
from typing import Any

import pytest

from runbook.model.errors import CannotLook
from runbook.model.fact import conform
from runbook.model.recovery import Recovery, Situation
from runbook.plugins.catalog import catalog
from runbook.plugins.guard import attempt
from support.declared import causes
from support.evidence import record

pytestmark = [pytest.mark.kept, pytest.mark.xdist_group("kept")]

STATES = (
    "groups/stuck-reader/during",
    "groups/skewed-keys/during",
    "plain/stop-broker/during",
    "plain/lose-quorum/during",
    "plain/shrink-isr/during",
    "proxied/slow-broker/during",
    "zookeeper/stop-zookeeper/during",
    "ecosystem/everything-wrong/wrong",
    "secure/a-broker-that-lets-anybody-in/wrong",
    "sites/stop-mirror/during",
    "kubernetes/host-path/during",
    "kubernetes/second-budget/during",
    "kubernetes/what-strimzi-says/discontent",
    "hosts/neglect-host/during",
    "hosts/full-disk/during",
    "hosts/skew-clock/during",
    "files/tiny-heap/during",
    "measured/stop-broker/during",
    "tiered/lose-remote-store/during",
)
GIVEN: dict[str, Any] = {
    "groups": "parcels-archive",
    "topics": "parcels",
    "instances": "http://127.0.0.1:40861",
    "workers": "connect-2",
    "connectors": "refunds-archive",
    "endpoints": "127.0.0.1:29288",
    "resource_types": "Topic",
    "pods": "kafka-2",
    "owners": "kafka",
    "nodes": "kafka-2-az-b",
    "budgets": "kafka",
    "bare": "kafka-2",
    "hosts": "kafka-3",
    "claims": "data-kafka-2",
    "kafkas": "orders",
    "deployments": "orders-entity-operator",
    "principals": "User:alice",
    "rights": "User:alice Write Topic orders",
    "clients": "billing",
    "settings": ["group.id"],
}
"""Parameter → a value it may have; of those that are not here, a broker's id."""


FOUND: dict[str, Any] = {
    "host": "kafka-3",
    "path": "/data",
    "group": "parcels-archive",
    "topic": "parcels",
    "name": "parcels",
    "pod": "kafka-2",
    "node": "kafka-2-az-b",
    "claim": "data-kafka-2",
    "resource": "orders",
    "deployment": "orders-entity-operator",
    "client": "billing",
    "clients": "billing",
    "principal": "User:alice",
    "resource_type": "Topic",
    "operation": "All",
    "subject": "orders-value",
    "mode": "READONLY",
    "compatibility": "NONE",
    "broker": 2,
    "request": "Produce",
    "connector": "orders-mirror-source",
    "policy": "org.apache.kafka.connect.mirror.DefaultReplicationPolicy",
    "application": "billing-service",
    "further_ports": 40001,
}
"""Column → what a cause may have found in it."""


UNKEPT = {"client_send": "the kept states were observed before this probe was written"}
"""Probe → why none of these states has its facts."""

NAMED = [
    pytest.param(catalog("recoveries").load(name).RECOVERY, GIVEN, id=name) for name in catalog("recoveries").names()
]
DECLARED = [
    pytest.param(undone.recovery, {name: FOUND[name.partition(".")[2]] for name in undone.given}, id=cause.cause.id)
    for cause in causes()
    for undone, block in zip(cause.undone, cause.cause.recoveries, strict=True)
    if block.rows
]


@pytest.mark.parametrize(("recovery", "values"), NAMED + DECLARED)
def test_what_it_makes_are_facts_of_the_same_probe_and_the_facts_it_is_given_stay(
    recovery: Recovery, values: dict[str, Any]
) -> None:
    tried = set()
    for state in STATES:
        bundle = record.read(record.place_of(*state.split("/"))).bundle
        seen = {kept.ask.probe: kept.facts[""] for kept in bundle.kept if kept.ask.given == "{}"}
        given = Situation(seen, {word: [values.get(word, 2)] for word in recovery.takes}, [seen])
        for probe, fact in (
            (kept.ask.probe, kept.facts[""]) for kept in bundle.kept if kept.ask.probe in recovery.sets
        ):
            before = fact.digest()
            made = attempt(partial(recovery.sets[probe], fact, given))
            assert fact.digest() == before
            if isinstance(made, CannotLook):
                continue  # this state lacks a fact that it reads: what the other would be is then not known
            conform(made, catalog("probes").load(probe).PROBE.columns)
            tried.add(probe)
    assert tried == {*recovery.sets} - UNKEPT.keys()


@pytest.mark.parametrize("name", catalog("recoveries").names())
def test_what_it_declares_is_there(name: str) -> None:
    recovery: Recovery = catalog("recoveries").load(name).RECOVERY
    assert {*recovery.sets, *recovery.leaves} <= {*catalog("probes").names()}
    assert not recovery.sets.keys() & recovery.leaves
    assert recovery.help
    assert recovery.sources
    assert recovery.of in {"", *recovery.takes}

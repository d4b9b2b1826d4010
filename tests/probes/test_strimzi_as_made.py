"""What our probes say of custom resources, beside what Strimzi's operator makes of the same ones.

The operator's own classes made the objects (`support/strimzi_made.py` says from which commit, and how). A resource that
the operator refuses has none.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, Final

import pytest

from support import strimzi_client_facts, strimzi_facts
from support.strimzi_made import digest, given, kept, rows
from support.strimzi_resources import Resource

GIVEN = given()
Compared = tuple[str, Any, Any]
"""Fact, what we say, what was made."""


def test_what_is_kept_was_made_of_these_cases():
    assert kept()["given"] == digest(GIVEN)
    assert kept()["made"].keys() == GIVEN.keys()


def test_each_fact_agrees_with_what_the_operator_makes():
    agreed: Counter[str] = Counter()
    wrong = []
    for case, resources in GIVEN.items():
        for resource, made in kept()["made"][case].items():
            if "refused" in made:
                continue
            for fact, ours, theirs in compared(resources, *resource.split("/"), made):
                if text(ours) == text(theirs):
                    agreed[fact] += 1
                else:
                    wrong.append(f"{case}: {fact} is {theirs!r}, and we say {ours!r}")
    assert not wrong, "\n".join(wrong)
    assert sum(agreed.values()) > 20_000
    assert min(agreed.values()) >= 20, agreed


_ELSEWHERE: Final = {
    "refused: listeners left out": "the API server refuses it before: declared-fields-are-known",
    "refused: an old version": "by release of the operator: declared-kafka-is-maintained",
    "refused: an ingress with other brokers": "the operator gives numbers to brokers, and files do not have them",
}
"""Case that the operator refuses, and the probe does not say so → why."""


@pytest.mark.parametrize("case", [case for case, made in kept()["made"].items() if "Kafka/orders" in made])
def test_what_the_operator_refuses_is_refused(case: str):
    made = kept()["made"][case]["Kafka/orders"]
    [row] = rows(GIVEN[case], "strimzi_kafka")
    refused = "refused" in made and case not in _ELSEWHERE
    assert bool(row["refused"]) == refused, (row["refused"], made.get("refused"))


_CLIENTS: Final = ("KafkaBridge/", "KafkaConnect/", "KafkaMirrorMaker2/")


@pytest.mark.parametrize(
    ("case", "resource"),
    [(case, each) for case, made in kept()["made"].items() for each in made if each.startswith(_CLIENTS)],
)
def test_what_the_operator_refuses_of_clients_is_refused(case: str, resource: str):
    made = kept()["made"][case][resource]
    [row] = rows(GIVEN[case], "strimzi_connect")
    assert bool(row["refused"]) == ("refused" in made), (row["refused"], made.get("refused"))


def compared(resources: list[Resource], kind: str, name: str, made: dict[str, Any]) -> Iterator[Compared]:
    """Fact by fact of one resource that the operator acts on."""
    yield from _OF_KIND[kind](resources, name, made)


def _kafka(resources: list[Resource], name: str, made: dict[str, Any]) -> Iterator[Compared]:
    [row] = _of(resources, "strimzi_kafka", name)
    row["budget"] = min(row["budget"], len(made["nodes"]))
    yield from _each(row, {fact: of(made) for fact, of in strimzi_facts.KAFKA.items()}, "kafka")
    [spec] = [each["spec"] for each in resources if each["kind"] == "Kafka" and each["metadata"]["name"] == name]
    yield "kafka.ignored", row["ignored"], strimzi_facts.ignored(made, spec["kafka"].get("config", {}))
    for row in _of(resources, "listener_declaration", name):
        theirs = strimzi_facts.listener(made, row["listener"], row["port"])
        if row["authentication"] == "custom" and theirs["authentication"] == "tls":  # by a client's certificate
            theirs["authentication"] = "custom"
        yield from _each(row, theirs, "listener")
    for row in _of(resources, "node_declaration", name):
        facts = strimzi_facts.POOL if row["replicas"] else {"replicas": strimzi_facts.POOL["replicas"]}
        row["roles"] = sorted(row["roles"])
        yield from _each(row, {fact: of(made, row["pool"]) for fact, of in facts.items()}, "pool")


def _workers(resources: list[Resource], name: str, made: dict[str, Any]) -> Iterator[Compared]:
    [row] = [row for row in rows(resources, "strimzi_connect") if row["resource"] == name]
    row["budget"] = min(row["budget"], row["replicas"])
    facts = strimzi_client_facts.bridge(made) if row["kind"] == "KafkaBridge" else strimzi_client_facts.workers(made)
    facts["budget"] = min(facts["budget"], row["replicas"])
    if row["authentication"] == "custom" and facts["authentication"] == "tls":  # by a client's certificate
        facts["authentication"] = "custom"
    yield from _each(row, facts, "connect")


def _mirrors(resources: list[Resource], name: str, made: dict[str, Any]) -> Iterator[Compared]:
    yield from _workers(resources, name, made)
    [row] = [row for row in rows(resources, "strimzi_connect") if row["resource"] == name]
    if made["connectors"]:  # without one nothing is read from a source
        yield from _each(row, strimzi_client_facts.sources(made), "connect")
    mirrors = [row for row in rows(resources, "strimzi_connector") if row["resource"] == name]
    theirs = {connector.rpartition(".")[0] for connector in made["connectors"]}
    yield "mirrors", sorted(row["connector"] for row in mirrors), sorted(theirs)
    for row in mirrors:
        yield from _each(row, strimzi_client_facts.connector(made, row["connector"]), "connector")


def _connector(resources: list[Resource], name: str, made: dict[str, Any]) -> Iterator[Compared]:
    [row] = [row for row in rows(resources, "strimzi_connector") if row["resource"] == name]
    yield from _each(row, strimzi_client_facts.single(made), "connector")


def _user(resources: list[Resource], name: str, made: dict[str, Any]) -> Iterator[Compared]:
    [row] = [row for row in rows(resources, "strimzi_user") if row["user"] == name]
    yield from _each(row, strimzi_client_facts.user(made), "user")
    columns = ("type", "kind", "name", "pattern", "operation", "host")
    ours = {
        tuple((row | {"operation": operation})[column] for column in columns)
        for row in rows(resources, "acl_declaration")
        if row["user"] == name
        for operation in row["operations"]
    }
    yield "user.rights", sorted(ours), strimzi_client_facts.rights(made)


_OF_KIND: Final[dict[str, Callable[[list[Resource], str, dict[str, Any]], Iterator[Compared]]]] = {
    "Kafka": _kafka,
    "KafkaBridge": _workers,
    "KafkaConnect": _workers,
    "KafkaConnector": _connector,
    "KafkaMirrorMaker2": _mirrors,
    "KafkaUser": _user,
}


def _of(resources: list[Resource], probe: str, kafka: str) -> list[dict[str, Any]]:
    return [row for row in rows(resources, probe) if row["kafka"] == kafka]


def _each(row: dict[str, Any], made: dict[str, Any], of: str) -> Iterator[Compared]:
    for fact, value in made.items():
        yield f"{of}.{fact}", row[fact], value


def text(value: Any) -> str:
    """As properties write it, so that a number is what is written as one."""
    return str(value).lower()

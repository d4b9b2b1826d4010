"""Placeholders that nobody filled in, and TLS that takes any host: where they stand, and what only looks like them."""

from typing import Any

import pytest

from runbook.formats.strimzi_values import placeholders, unverified


def resource(kind: str = "Kafka", **spec: Any) -> dict[str, Any]:
    return {"kind": kind, "spec": spec}


@pytest.mark.parametrize(
    ("spec", "found"),
    [
        ({"kafka": {"version": "${VERSION}"}}, ["spec.kafka.version has ${VERSION}"]),
        ({"list": [1, {"a": "x${A_1}y"}]}, ["spec.list[1].a has ${A_1}"]),
        ({"config": {"a": "${env:NAME}", "b": "${strimzienv:NAME}", "c": "$1", "d": "${secrets:a/b:c}"}}, []),
        ({"config": {"topic.format": "${topic}-${timestamp}"}}, []),
        ({}, []),
    ],
)
def test_a_placeholder_is_named_with_its_place(spec: dict[str, Any], found: list[str]):
    assert [each.says for each in placeholders(resource(**spec))] == found


def test_settings_of_a_connector_may_have_placeholders_of_their_own():
    assert placeholders(resource("KafkaConnector", config={"topic": "${TOPIC}"})) == []
    assert placeholders(resource("KafkaConnector", **{"class": "${CLASS}"})) != []


@pytest.mark.parametrize(
    ("spec", "found"),
    [
        ({"config": {"ssl.endpoint.identification.algorithm": ""}}, 1),
        ({"config": {"strimzi.authorization.ssl.endpoint.identification.algorithm": ""}}, 1),
        ({"config": {"ssl.endpoint.identification.algorithm": "https"}}, 0),
        ({"authentication": {"disableTlsHostnameVerification": True}}, 1),
        ({"authentication": {"disableTlsHostnameVerification": False}}, 0),
        ({"jaas": 'Module required oauth.ssl.endpoint.identification.algorithm="" a="b";'}, 1),
        ({"jaas": 'Module required oauth.ssl.endpoint.identification.algorithm="HTTPS";'}, 0),
    ],
)
def test_tls_that_takes_any_host_is_found(spec: dict[str, Any], found: int):
    assert len(unverified(resource(**spec))) == found

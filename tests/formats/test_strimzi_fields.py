from typing import Any

import pytest

from runbook.formats.strimzi_fields import refused


def topic(version: str = "v1", **spec: Any) -> dict[str, Any]:
    return {"apiVersion": f"kafka.strimzi.io/{version}", "kind": "KafkaTopic", "metadata": {}, "spec": spec}


def kafka(**spec: Any) -> dict[str, Any]:
    listener = {"name": "tls", "port": 9093, "type": "internal", "tls": True}
    described = {"listeners": [listener]} | spec
    return {"apiVersion": "kafka.strimzi.io/v1", "kind": "Kafka", "metadata": {}, "spec": {"kafka": described}}


@pytest.mark.parametrize(
    ("resource", "problems"),
    [
        (topic(partitions=3, replicas=3, config={"retention.ms": 1, "anything": "else"}), []),
        (topic(partitons=3), ["spec.partitons is no field: partitions?"]),
        (topic(partitions="3"), ["spec.partitions is not a whole number"]),
        (topic(partitions=True), ["spec.partitions is not a whole number"]),
        (topic(partitions=None), []),
        (topic("v9"), ["v9 has no KafkaTopic in Strimzi 0.45.0 to 1.2.0"]),
        (kafka(), []),
        (kafka(listeners={}), ["spec.kafka.listeners is not a list"]),
        (kafka(listeners=None), ["spec.kafka.listeners is missing"]),
        (kafka(rack=[]), ["spec.kafka.rack is not an object"]),
        (kafka(metricsConfig={"type": "prometheus"}), None),
        (kafka() | {"spce": {}}, ["spce is no field: spec?"]),
        (
            kafka(listeners=[{"name": "tls", "port": 9093, "type": "inside", "tls": "yes"}]),
            None,
        ),
    ],
)
def test_what_an_api_server_would_refuse_is_told(resource: dict[str, Any], problems: list[str] | None):
    found = [problem.says for problem in refused(resource)]
    assert found == problems if problems is not None else found
    if problems is None:
        assert all(", none of " in problem or " is not true or false" in problem for problem in found)


@pytest.mark.parametrize(
    ("resource", "path"),
    [
        (topic(partitons=3), ("spec", "partitons")),
        (topic("v9"), ("apiVersion",)),
        (kafka(listeners=[{"name": "tls", "port": "x"}]), ("spec", "kafka", "listeners", 0, "port")),
        (kafka(listeners=None), ("spec", "kafka")),
    ],
)
def test_the_field_is_told_or_that_in_which_one_is_missing(resource: dict[str, Any], path: tuple[str | int, ...]):
    assert refused(resource)[0].path == path


def test_an_end_is_set_to_what_is_told():
    assert len(refused(topic(**{f"x{at}": 1 for at in range(100)}))) == 20

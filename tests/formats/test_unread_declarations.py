"""Documents that declare Kafka in a way that is not read: which are named, and which are not."""

from typing import Any

import pytest

from runbook.formats.unread_declarations import parts

BROKER = {"name": "kafka", "image": "confluentinc/cp-kafka:7.9.1"}


@pytest.mark.parametrize(
    ("container", "named"),
    [
        (BROKER, True),
        (BROKER | {"command": ["sh", "-c", "kafka-topics --create & exec /etc/confluent/docker/run"]}, True),
        (BROKER | {"args": ["kafka-console-consumer --topic a & exec /etc/confluent/docker/run"]}, True),
        (BROKER | {"command": ["/bin/sh", "-c", "kafka-producer-perf-test --topic a"]}, False),
        (BROKER | {"args": ["kafka-avro-console-producer", "--topic", "a"]}, False),
        ({"name": "web", "image": "example.com/web:1"}, False),
    ],
)
def test_a_stateful_set_of_a_client_declares_no_cluster(container: dict[str, Any], *, named: bool):
    spec = {"template": {"spec": {"containers": [container]}}}
    found = parts({"apiVersion": "apps/v1", "kind": "StatefulSet", "metadata": {"name": "a"}, "spec": spec})
    assert (found is not None) is named

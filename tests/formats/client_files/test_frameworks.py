"""Quarkus, Micronaut and environment variables, as the clients that they configure see them."""

import pytest

from runbook.formats.client_files import (
    DeployedFile,
    NoSettingsError,
    SettingOfClient,
    read_client_file,
    read_client_files,
)

QUARKUS = """\
kafka.bootstrap.servers=a:1
kafka.request.timeout.ms=5000
mp.messaging.connector.smallrye-kafka.client.dns.lookup=use_all_dns_ips
mp.messaging.outgoing.orders.connector=smallrye-kafka
mp.messaging.outgoing.orders.topic=o
mp.messaging.outgoing.orders.request.timeout.ms=7000
mp.messaging.incoming.bills.connector=smallrye-kafka
mp.messaging.incoming.bills.failure-strategy=dead-letter-queue
mp.messaging.incoming.bills.dead-letter-queue.topic=d
mp.messaging.incoming.mail.connector=smallrye-amqp
mp.messaging.incoming.mail.host=h
%prod.mp.messaging.outgoing.orders.acks=all
"""
COMPOSE = """\
services:
  broker:
    environment: {KAFKA_NODE_ID: 1, KAFKA_COMPRESSION_TYPE: lz4}
  app:
    environment:
      - KAFKA_BOOTSTRAP_SERVERS=a:1
      - KAFKA_ACKS=1
      - KAFKA_TOPIC=orders
  billing:
    environment:
      SPRING_KAFKA_CONSUMER_AUTOOFFSETRESET: earliest
      SPRING_KAFKA_CONSUMER_ENABLE_AUTO_COMMIT: "no"
      SPRING_KAFKA_PROPERTIES_SASL_MECHANISM: PLAIN
      SPRING_KAFKA_SECURITY_PROTOCOL: SSL
  connect:
    environment: {CONNECT_OFFSET_STORAGE_TOPIC: o, CONNECT_PRODUCER_LINGER_MS: 5}
"""


def by_client(found: list[SettingOfClient]) -> dict[str, dict[str, str | None]]:
    clients: dict[str, dict[str, str | None]] = {}
    for each in found:
        clients.setdefault(each.client, {})[each.name] = each.value
    return clients


def test_quarkus_gives_a_channel_what_is_common_and_defaults_of_its_connector() -> None:
    found = read_client_file(QUARKUS, "application.properties")
    common = {"bootstrap.servers": "a:1", "client.dns.lookup": "use_all_dns_ips"}
    orders = common | {"request.timeout.ms": "7000", "acks": "1"}
    bills = common | {"request.timeout.ms": "5000", "enable.auto.commit": "false"}
    assert by_client(found) == {
        "orders": orders,
        "bills": bills,
        "orders, prod": orders | {"acks": "all"},
        "bills, prod": bills,
    }
    assert {each.kind for each in found if each.client == "bills"} == {"consumer"}
    assert next(each.line for each in found if (each.client, each.name) == ("orders", "acks")) == 4


def test_micronaut_gives_each_id_what_is_common() -> None:
    text = "kafka:\n  bootstrap.servers: a:1\n  enabled: true\n  producers:\n    default: {acks: all}\n"
    assert by_client(read_client_file(text, "application.yml")) == {
        "default": {"bootstrap.servers": "a:1", "acks": "all"}
    }


def test_variables_configure_the_client_that_they_stand_at_and_no_broker() -> None:
    found = read_client_file(COMPOSE, "compose.yaml")
    assert by_client(found) == {
        "services.app": {"bootstrap.servers": "a:1", "acks": "1"},
        "services.billing": {
            "sasl.mechanism": "PLAIN",
            "security.protocol": "SSL",
            "auto.offset.reset": "earliest",
            "enable.auto.commit": "false",
        },
        "services.connect": {"offset.storage.topic": "o", "linger.ms": "5"},
    }
    assert [(each.kind, each.line) for each in found if each.name == "linger.ms"] == [("producer", 16)]


def test_manifests_list_variables_and_hold_files() -> None:
    text = (
        "kind: Deployment\nenv:\n- name: KAFKA_ACKS\n  value: '1'\n- name: KAFKA_RETRIES\n  valueFrom: {}\n---\n"
        "kind: ConfigMap\ndata:\n  client.properties: |\n    # ours\n    linger.ms=5\n  other.properties: |\n    a=b\n"
    )
    found = read_client_file(text, "all.yaml")
    assert [(each.client, each.name, each.value, each.line) for each in found] == [
        ("", "acks", "1", 4),
        ("client.properties", "linger.ms", "5", 12),
    ]


def test_a_file_of_variables_is_known_by_its_name() -> None:
    found = read_client_file("# a\nexport KAFKA_ACKS='1'\nPATH=x\n", "deploy/.env.prod")
    assert [(each.name, each.value, each.line, each.column) for each in found] == [("acks", "1", 2, 8)]


@pytest.mark.parametrize("text", ["kafka: {enabled: true}\n", "services: {a: {environment: {KAFKA_TOPIC: x}}}\n"])
def test_yaml_that_names_kafka_alone_configures_no_client(text: str) -> None:
    with pytest.raises(NoSettingsError):
        read_client_file(text, "values.yaml")


def test_variables_of_several_readers_that_stand_together_are_several_clients() -> None:
    text = "SPRING_KAFKA_CLIENT_ID=a\nCONNECT_PRODUCER_ACKS=0\nKAFKA_ACKS=1\nKAFKA_SASL_PASSWORD=hunter22\n"
    found = read_client_files([DeployedFile(".env", text)])
    assert [(each.client, each.name, each.plain) for each in found] == [
        ("", "client.id", False),
        ("connect", "acks", False),
        ("KAFKA_", "acks", False),
        ("KAFKA_", "sasl.password", True),
    ]


def test_connectors_and_workers_of_strimzi_are_those_of_connect() -> None:
    text = (
        "apiVersion: kafka.strimzi.io/v1beta2\nkind: KafkaConnector\nmetadata: {name: cc}\n"
        'spec: {class: x.Y, config: {producer.override.acks: "0", database.password: hunter22}}\n'
    )
    found = read_client_file(text, "k.yaml")
    assert [(each.client, each.kind, each.name, each.plain) for each in found] == [
        ("KafkaConnector cc", "producer", "acks", False),
        ("KafkaConnector cc", "connect", "database.password", True),
    ]
    with pytest.raises(NoSettingsError):
        read_client_file(text.replace("kafka.strimzi.io", "other.io"), "k.yaml")

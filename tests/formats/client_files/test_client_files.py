"""The same settings, whatever the file they are deployed in."""

import pytest

from runbook.formats.client_files import read_client_file
from runbook.model.errors import Garbled
from runbook.safety.secret import HIDDEN

SPRING = """\
spring:
  application: {name: billing}
  kafka:
    bootstrap-servers:
      - kafka-1:9092
      - kafka-2:9092
    security.protocol: SASL_SSL
    ssl:
      trust-store-password: secret
    properties:
      sasl.mechanism: PLAIN
    listener:
      ack-mode: manual
    producer:
      acks: all
      batch-size: 32KB
      properties:
        linger.ms: 20
    consumer:
      group-id: billing
      enable-auto-commit: false
      heartbeat-interval: 5s
      fetch-min-size: 1KB
---
spring:
  kafka:
    consumer:
      auto-offset-reset: ${OFFSET_RESET:earliest}
"""


def settings(text: str, path: str, kind: str = "") -> dict[tuple[str, str], tuple[str | None, int]]:
    return {
        (setting.kind, setting.name): (setting.value, setting.line) for setting in read_client_file(text, path, kind)
    }


def test_spring_boot_gives_each_kind_its_own_settings_and_the_common_ones():
    found = settings(SPRING, "application.yaml")
    assert found["producer", "acks"] == ("all", 15)
    assert found["producer", "batch.size"] == ("32768", 16)
    assert found["producer", "linger.ms"] == ("20", 18)
    assert found["consumer", "enable.auto.commit"] == ("false", 21)
    assert found["consumer", "heartbeat.interval.ms"] == ("5000", 22)
    assert found["consumer", "fetch.min.bytes"] == ("1024", 23)
    for kind in ("producer", "consumer"):
        assert found[kind, "bootstrap.servers"] == ("kafka-1:9092,kafka-2:9092", 5)
        assert found[kind, "sasl.mechanism"] == ("PLAIN", 11)
        assert found[kind, "ssl.truststore.password"] == (HIDDEN, 9)
    assert not any("listener" in name or "ack.mode" in name for _, name in found)


def test_what_is_left_to_a_variable_is_not_known_and_its_line_is_that_of_its_document():
    assert settings(SPRING, "application.yml")["consumer", "auto.offset.reset"] == (None, 28)


def test_spring_boot_in_properties_says_the_same():
    text = "spring.kafka.bootstrap-servers=a:1\nspring.kafka.consumer.heartbeat-interval=10m\nserver.port=8080\n"
    found = settings(text, "application.properties")
    assert found == {
        ("consumer", "bootstrap.servers"): ("a:1", 1),
        ("consumer", "heartbeat.interval.ms"): ("600000", 2),
    }


def test_properties_tell_their_kind_by_what_only_one_kind_has():
    assert ("producer", "acks") in settings("acks=1\nclient.id=x\n", "x.properties")
    assert ("consumer", "client.id") in settings("group.id=g\nclient.id=x\n", "x.conf")
    assert ("", "client.id") in settings("client.id=x\n", "x.properties")
    assert ("admin", "client.id") in settings("client.id=x\n", "x.properties", "admin")


def test_librdkafkas_own_names_become_those_of_kafka():
    found = settings("metadata.broker.list=a:1\nqueue.buffering.max.ms=5\nrequest.required.acks=-1\n", "rd.conf")
    assert found["producer", "linger.ms"] == ("5", 2)
    assert found["producer", "acks"] == ("-1", 3)
    assert found["producer", "bootstrap.servers"] == ("a:1", 1)


def test_clients_within_streams_and_connect_are_clients_of_their_kind():
    streams = "application.id=app\nproducer.acks=all\nmain.consumer.max.poll.records=100\n"
    found = settings(streams, "streams.properties")
    assert found["producer", "acks"] == ("all", 2)
    assert found["consumer", "max.poll.records"] == ("100", 3)
    assert found["streams", "application.id"] == ("app", 1)
    worker = "key.converter=x.JsonConverter\nconsumer.auto.offset.reset=earliest\n"
    assert settings(worker, "connect.properties")["consumer", "auto.offset.reset"] == ("earliest", 2)


def test_connectors_are_read_with_and_without_their_envelope():
    config = '{\n "connector.class": "x.Sink",\n "producer.override.acks": "all",\n "tasks.max": 2}'
    for text, shift in ((config, 0), ('{"name": "sink", "config":\n' + config + "}", 1)):
        found = settings(text, "sink.json")
        assert found["producer", "acks"] == ("all", 3 + shift)
        assert found["connect", "tasks.max"] == ("2", 4 + shift)


def test_mirrormakers_links_keep_their_names():
    found = settings("clusters=a,b\na->b.enabled=true\na.consumer.isolation.level=read_committed\n", "mm2.properties")
    assert found["mirrormaker", "a->b.enabled"] == ("true", 2)
    assert found["mirrormaker", "a.consumer.isolation.level"] == ("read_committed", 3)


@pytest.mark.parametrize(
    "line",
    ["sasl.jaas.config=x required password='topsecret';", "ssl.key.password=topsecret", "url=http://u:topsecret@h/"],
)
def test_credentials_never_leave_the_file(line: str):
    assert "topsecret" not in str(read_client_file(line, "x.properties"))


@pytest.mark.parametrize(
    ("text", "path"),
    [("a: 1\n", "x.yaml"), ("- 1\n", "x.yml"), ("{", "x.json"), ("a: [", "application.yaml"), ("[1]", "x.json")],
)
def test_what_is_not_what_its_ending_says_is_refused(text: str, path: str):
    with pytest.raises(Garbled):
        read_client_file(text, path)


REFERENCES = ["@ks.password@", "ENC(G6N7)", "{cipher}AQA3e4f", "{{ .Values.pw }}", "%(pw)s", "#{env['X']}", "<%= pw %>"]


@pytest.mark.parametrize("value", REFERENCES)
def test_a_reference_and_what_is_encrypted_are_no_credentials_in_plain_text(value: str) -> None:
    login = f'x.Y required username="u" password="{value}";' if "'" not in value and '"' not in value else value
    found = read_client_file(f"ssl.key.password={value}\nsasl.jaas.config={login}\nacks={value}\n", "a.properties")
    assert [(each.plain, each.value) for each in found] == [(False, HIDDEN), (False, HIDDEN), (False, None)]


@pytest.mark.parametrize("value", ["p@ss@", "ENC", "$KPW", "$(KPW)", "a{cipher}b", "{{"])
def test_what_only_looks_like_a_reference_is_a_credential(value: str) -> None:
    [found] = read_client_file(f"ssl.key.password={value}\n", "a.properties")
    assert found.plain


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.yaml", "env: [{name: KAFKA_SSL_KEY_PASSWORD, value: $(KPW)}]"),
        ("a.yaml", "environment: {KAFKA_SSL_KEY_PASSWORD: $KPW}"),
        ("a.yaml", "environment: [KAFKA_SSL_KEY_PASSWORD=$KPW]"),
        (".env", "KAFKA_SSL_KEY_PASSWORD=$KPW"),
    ],
)
def test_variables_refer_to_others(path: str, text: str) -> None:
    assert [each.plain for each in read_client_file(text, path)] == [False]
    if path == ".env":
        assert [each.plain for each in read_client_file(text.replace("=$KPW", "='$KPW'"), path)] == [True]

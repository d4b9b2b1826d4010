import ssl
from pathlib import Path

import pytest

from runbook.connections.kafka import connect
from runbook.connections.kafka.properties import bootstrap_servers, for_kafka_python, for_librdkafka
from runbook.model.errors import Misconfigured
from runbook.model.probe import Deadline

HERE = {"bootstrap.servers": "127.0.0.1:9092"}
AUTHORITY = Path(ssl.get_default_verify_paths().openssl_cafile)


def translated(**more: object) -> dict[str, object]:
    return for_kafka_python({**HERE, **{name.replace("_", "."): value for name, value in more.items()}}, Deadline(6))


@pytest.mark.parametrize(
    ("given", "servers"),
    [
        ("a:1,b:2", ["a:1", "b:2"]),
        (" a:1 , SASL_SSL://b:2,", ["a:1", "b:2"]),
        ("[::1]:9092", ["[::1]:9092"]),
        ("kafka,b:9093", ["kafka:9092", "b:9093"]),
        ("[fd00::2:1]", ["[fd00::2:1]:9092"]),
    ],
)
def test_bootstrap_servers_are_read_as_librdkafka_reads_them(given: str, servers: list[str]) -> None:
    assert bootstrap_servers({"bootstrap.servers": given}) == servers


@pytest.mark.parametrize("settings", [{}, {"bootstrap.servers": ""}, {"bootstrap.servers": " , "}])
def test_no_bootstrap_server_is_a_mistake_in_the_settings(settings: dict[str, str]) -> None:
    with pytest.raises(Misconfigured, match=r"has no bootstrap\.servers"):
        for_librdkafka(settings, Deadline(6))


@pytest.mark.parametrize("given", ["a:port", "a:1/topic", "a b:1", ":9092"])
def test_a_bootstrap_server_that_is_no_address_is_named(given: str) -> None:
    with pytest.raises(Misconfigured, match="not of the form host:port"):
        for_kafka_python({"bootstrap.servers": given}, Deadline(6))


def test_the_inventory_can_not_turn_topic_creation_or_telemetry_on() -> None:
    config = for_librdkafka({**HERE, "allow.auto.create.topics": True, "enable.metrics.push": True}, Deadline(6))
    assert config["allow.auto.create.topics"] is False
    assert config["enable.metrics.push"] is False


def test_no_request_may_take_longer_than_the_clock_allows() -> None:
    assert for_librdkafka({**HERE, "socket.timeout.ms": 60000}, Deadline(6))["socket.timeout.ms"] <= 2000
    assert translated(request_timeout_ms=60000)["request_timeout_ms"] <= 2000  # type: ignore[operator]


def test_a_login_is_translated() -> None:
    options = translated(
        security_protocol="sasl_plaintext", sasl_mechanisms="SCRAM-SHA-512", sasl_username="u", sasl_password="p"
    )
    assert options["security_protocol"] == "SASL_PLAINTEXT"
    assert options["sasl_mechanism"] == "SCRAM-SHA-512"
    assert (options["sasl_plain_username"], options["sasl_plain_password"]) == ("u", "p")


def test_tls_verifies_certificate_and_name_unless_told_otherwise() -> None:
    context = translated(security_protocol="SSL")["ssl_context"]
    assert isinstance(context, ssl.SSLContext)
    assert context.verify_mode is ssl.CERT_REQUIRED
    assert context.check_hostname


def test_tls_leaves_out_only_what_the_settings_leave_out() -> None:
    unnamed = translated(security_protocol="SSL", ssl_endpoint_identification_algorithm="none")["ssl_context"]
    assert isinstance(unnamed, ssl.SSLContext)
    assert (unnamed.check_hostname, unnamed.verify_mode) == (False, ssl.CERT_REQUIRED)
    unverified = translated(security_protocol="SSL", enable_ssl_certificate_verification=False)["ssl_context"]
    assert isinstance(unverified, ssl.SSLContext)
    assert unverified.verify_mode is ssl.CERT_NONE


def test_a_certificate_file_that_is_not_there_is_named() -> None:
    with pytest.raises(Misconfigured, match=r"/no/such/ca\.pem"):
        translated(security_protocol="SSL", ssl_ca_location="/no/such/ca.pem")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("sasl.oauthbearer.method", "oidc"),
        ("sasl.kerberos.service.name", "kafka"),
        ("ssl.keystore.location", "/etc/kafka/client.p12"),
        ("ssl.cipher.suites", "ECDHE"),
        ("ssl.something.of.tomorrow", "1"),
        ("enable.ssl.something", "1"),
        ("enable.sasl.oauthbearer.unsecure.jwt", "true"),
        ("security.something", "1"),
        ("https.ca.location", "/etc/ca.pem"),
        ("oauth_cb", "f"),
    ],
)
def test_a_security_property_without_an_equal_is_refused_by_name(name: str, value: str) -> None:
    with pytest.raises(Misconfigured, match=name.replace(".", r"\.")):
        for_kafka_python({**HERE, name: value}, Deadline(6))


@pytest.mark.parametrize("mechanism", ["GSSAPI", "OAUTHBEARER", "AWS_MSK_IAM"])
def test_a_mechanism_that_needs_more_than_a_password_is_refused(mechanism: str) -> None:
    with pytest.raises(Misconfigured, match=f"sasl.mechanism={mechanism}"):
        translated(security_protocol="SASL_SSL", sasl_mechanism=mechanism)


def test_a_login_without_a_mechanism_is_kerberos_as_in_librdkafka() -> None:
    with pytest.raises(Misconfigured, match="GSSAPI"):
        translated(security_protocol="SASL_PLAINTEXT")


def test_properties_that_matter_to_librdkafka_alone_are_left_to_it() -> None:
    assert "socket.keepalive.enable" not in translated(socket_keepalive_enable=True)


@pytest.mark.parametrize("value", [{}, {"vault": "a"}, ["a:9092"]])
def test_a_setting_of_kafka_is_a_plain_value(value: object) -> None:
    with pytest.raises(Misconfigured, match=r"ssl\.key\.password must be a value or a reference such as \{env: NAME\}"):
        connect({"bootstrap.servers": "127.0.0.1:1", "ssl.key.password": value}, Deadline(1))

import pytest
from confluent_kafka import KafkaError
from kafka import errors

from runbook.answers.kafka.errors import BadCertificate, CutInHandshake, HungUp, NoLogin, NotKafka
from runbook.connections.kafka.errors import from_code, from_kafka_python, from_librdkafka, reason_of, said_of
from runbook.model.errors import (
    CannotLook,
    Denied,
    Misconfigured,
    NoName,
    NoRoute,
    NoTls,
    NotServing,
    Refused,
    TimedOut,
    Unreachable,
    Unsupported,
)

ME = "broker 2 (10.0.0.2:9092)"


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        (KafkaError._TIMED_OUT, TimedOut),
        (KafkaError._TRANSPORT, Unreachable),
        (KafkaError._ALL_BROKERS_DOWN, Unreachable),
        (KafkaError._RESOLVE, NoName),
        (KafkaError._SSL, NoTls),
        (KafkaError._AUTHENTICATION, NoLogin),
        (KafkaError.CLUSTER_AUTHORIZATION_FAILED, Denied),
        (KafkaError.TOPIC_AUTHORIZATION_FAILED, Denied),
        (KafkaError.GROUP_AUTHORIZATION_FAILED, Denied),
        (KafkaError.SASL_AUTHENTICATION_FAILED, NoLogin),
        (KafkaError._INVALID_ARG, Misconfigured),
        (KafkaError.UNSUPPORTED_VERSION, Unsupported),
        (KafkaError._BAD_MSG, NotKafka),
        (KafkaError.COORDINATOR_NOT_AVAILABLE, NotServing),
    ],
)
def test_every_error_of_librdkafka_keeps_its_kind_and_names_who_was_asked(code: int, kind: type[CannotLook]) -> None:
    error = from_librdkafka(KafkaError(code), ME)
    assert type(error) is kind
    assert str(error).startswith(ME)


def test_what_librdkafka_said_before_explains_its_time_outs() -> None:
    heard = (
        "sasl_plaintext://10.0.0.1:9092/bootstrap: SASL authentication error: Invalid username or password "
        "(after 302ms in state AUTH_REQ)"
    )
    error = from_librdkafka(KafkaError(KafkaError._TIMED_OUT), "the cluster", heard=heard)
    assert isinstance(error, Denied)
    assert str(error) == (
        "10.0.0.1:9092 did not accept our credentials: SASL authentication error: Invalid username or password"
    )


@pytest.mark.parametrize(
    ("heard", "kind", "words"),
    [
        (
            "plaintext://10.0.0.1:9092/bootstrap: Connect to ipv4#10.0.0.1:9092 failed: Connection refused (after 0ms)",
            Refused,
            "connection refused",
        ),
        (
            "plaintext://10.9.0.1:9092/2: Connect to ipv4#10.9.0.1:9092 failed: No route to host (after 9ms)",
            NoRoute,
            "no route to host",
        ),
        (
            "plaintext://10.9.0.1:9092/2: Connect to ipv4#10.9.0.1:9092 failed: Network is unreachable (after 0ms)",
            NoRoute,
            "network is unreachable",
        ),
        ("10.0.0.1:9092/2: Disconnected (after 20ms in state UP)", HungUp, "it closed the connection"),
        (
            "ssl://10.0.0.1:9092/2: SSL handshake failed: SSL syscall error: Connection reset by peer (after 3ms)",
            CutInHandshake,
            "the connection was closed in the handshake",
        ),
        (
            "ssl://10.0.0.1:9092/2: Disconnected: SSL connection closed by peer (after 3ms in state SSL_HANDSHAKE)",
            CutInHandshake,
            "by a port without TLS or on the way",
        ),
        (
            "ssl://10.0.0.1:9092/2: SSL handshake failed: SSL routines::wrong version number (after 3ms)",
            NoTls,
            "wrong version number",
        ),
        (
            "ssl://10.0.0.1:9092/bootstrap: SSL handshake failed: certificate verify failed (after 3ms in state SSL)",
            BadCertificate,
            "over TLS",
        ),
        (
            "ssl://10.0.0.1:9092/bootstrap: error:0A000086:SSL routines::certificate verify failed (after 3ms)",
            BadCertificate,
            "10.0.0.1:9092 can't be reached over TLS: its certificate ended, is for another name, or of no authority",
        ),
        (
            "ssl://10.0.0.1:9092/2: SSL handshake failed: Disconnected: connection closed by peer: connecting to (…)",
            CutInHandshake,
            "by a port without TLS or on the way",
        ),
        (
            "plaintext://nowhere:9092/bootstrap: Failed to resolve 'nowhere:9092': Name not known (after 1ms)",
            NoName,
            "does not resolve",
        ),
    ],
)
def test_words_of_librdkafka_are_sorted_by_what_they_mean(heard: str, kind: type[CannotLook], words: str) -> None:
    error = from_librdkafka(KafkaError(KafkaError._TRANSPORT), "the cluster", heard=heard)
    assert type(error) is kind
    assert words in str(error)


@pytest.mark.parametrize(
    ("error", "kind", "sentence"),
    [
        (errors.RequestTimedOutError("after 2000 ms"), TimedOut, f"{ME} did not answer in its time"),
        (errors.KafkaTimeoutError("x"), TimedOut, f"{ME} did not answer in its time"),
        (
            errors.KafkaConnectionError("111 ECONNREFUSED"),
            Refused,
            f"{ME} can't be reached: connection refused",
        ),
        (errors.KafkaConnectionError("DNS Resolution failure"), NoName, "its name does not resolve"),
        (errors.KafkaConnectionError("socket disconnected"), HungUp, "it closed the connection"),
        (errors.KafkaConnectionError("Handshake failed: certificate has expired"), NoTls, "over TLS"),
        (errors.KafkaConnectionError("Connection timed out"), TimedOut, "did not answer in its time"),
        (errors.SaslAuthenticationFailedError("bad password"), NoLogin, "did not accept our credentials"),
        (errors.UnsupportedSaslMechanismError("PLAIN"), NoLogin, "does not offer the SASL mechanism"),
        (errors.ClusterAuthorizationFailedError("x"), Denied, "does not let us look"),
        (errors.IncompatibleBrokerVersion("x"), Unsupported, "of a version that does not know"),
        (errors.CorrelationIdError("x"), NotKafka, "in Kafka's protocol"),
        (ValueError("buffer too short"), NotKafka, "in Kafka's protocol"),
        (ConnectionResetError(104, "Connection reset by peer"), HungUp, "connection reset by peer"),
        (ConnectionRefusedError(111, "Connection refused"), Refused, "can't be reached: connection refused"),
        (errors.KafkaConnectionError("113 EHOSTUNREACH"), NoRoute, "no route to host"),
        (errors.KafkaConnectionError("101 ENETUNREACH"), NoRoute, "network is unreachable"),
        (
            errors.KafkaConnectionError("Handshake failed: certificate verify failed: Hostname mismatch"),
            BadCertificate,
            "over TLS",
        ),
        (
            errors.KafkaConnectionError("Handshake failed: [SSL: UNEXPECTED_EOF_WHILE_READING] EOF occurred"),
            CutInHandshake,
            "the connection was closed in the handshake",
        ),
        (errors.KafkaConnectionError("97 EAFNOSUPPORT"), Unreachable, "address family not supported"),
    ],
)
def test_every_error_of_kafka_python_keeps_its_kind(error: Exception, kind: type[CannotLook], sentence: str) -> None:
    mapped = from_kafka_python(error, ME)
    assert type(mapped) is kind
    assert sentence in str(mapped)


def test_a_refusal_names_the_right_that_is_needed() -> None:
    error = from_code(31, ME, right="Describe on the cluster")
    assert isinstance(error, Denied)
    assert str(error) == f"{ME} does not let us look: it needs Describe on the cluster"


def test_an_unknown_error_code_is_never_taken_for_success() -> None:
    assert isinstance(from_code(12345, ME), CannotLook)


def test_what_librdkafka_said_of_other_addresses_explains_nothing_of_this_one() -> None:
    heard = [
        "plaintext://10.0.0.1:9092/1: Connect to ipv4#10.0.0.1:9092 failed: Connection refused (after 0ms)",
        "plaintext://10.0.0.1:90921/3: Disconnected (after 20ms in state UP)",
        "nothing of that form",
    ]
    assert said_of(heard, "10.0.0.1:9092") == heard[:1]
    assert said_of(heard, "10.0.0.2:9092") == []


NO_HANDSHAKE = "SASL SCRAM-SHA-512 mechanism handshake failed: Local: {}: broker's supported mechanisms: (n/a)"
OTHER_MECHANISM = (
    "SASL PLAIN mechanism handshake failed: Broker: Unsupported SASL mechanism: broker's supported mechanisms: GSSAPI"
)
CUT_LOGIN = "SASL authentication error: SaslAuthenticateRequest failed: Local: Broker transport failure"
BAD_PASSWORD = "SASL authentication error: Authentication failed during authentication due to invalid credentials"


@pytest.mark.parametrize(
    ("text", "kind", "words"),
    [
        (NO_HANDSHAKE.format("Broker transport failure"), HungUp, "closed in the midst of the login"),
        (CUT_LOGIN, HungUp, "closed in the midst of the login"),
        (NO_HANDSHAKE.format("Timed out"), TimedOut, "in the midst of the login"),
        (BAD_PASSWORD, NoLogin, "did not accept our credentials"),
        (OTHER_MECHANISM, NoLogin, "did not accept our credentials"),
    ],
)
def test_a_login_that_was_cut_short_is_no_wrong_password(text: str, kind: type[CannotLook], words: str) -> None:
    """The first three are what librdkafka 2.16 said where a proxy lost records, the others are wrong settings."""
    error = from_librdkafka(KafkaError(KafkaError._AUTHENTICATION, text), ME)
    assert type(error) is kind
    assert words in str(error)
    assert type(from_librdkafka(KafkaError(KafkaError._TRANSPORT), ME, heard=f"sasl_ssl://h:1/2: {text}")) is kind


def test_a_timeout_under_a_client_quota_says_so():
    from kafka.errors import RequestTimedOutError

    held = reason_of(RequestTimedOutError(), "broker 1", 3.0, held=True)
    assert str(held) == (
        "broker 1 did not answer in 3.0 s, and brokers throttle our requests by a client quota: "
        "see kafka-configs.sh --describe --entity-type clients"
    )
    assert "quota" not in str(reason_of(RequestTimedOutError(), "broker 1", 3.0))

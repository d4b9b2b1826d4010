"""What somebody without credentials gets, from listeners that answer as those of a lab with logins did."""

import ssl
from pathlib import Path

import pytest
from kafka.protocol.metadata import MetadataResponse
from kafka.protocol.sasl import SaslAuthenticateResponse

from runbook.connections.kafka.anonymous_access import ACCEPTED, NOT_TRIED, REFUSED, AnonymousAccess, try_anonymous
from runbook.model.errors import CannotLook, Garbled, TimedOut, Unreachable
from runbook.model.probe import Deadline
from support.fault_servers import faulty_server
from support.recorded_listeners import GUARDED, KEYS, MUTUAL, OPEN, SASL, STRANGE, framed, listening, offering
from support.tls_servers import HOST, context


def patient(seconds: float = 20.0) -> Deadline:
    return Deadline(120, patience=seconds)


def login(code: int, token: bytes = b"") -> str:
    return framed(SaslAuthenticateResponse[0](error_code=code, error_message=None, auth_bytes=token))


def test_a_guarded_listener_refuses_all(tmp_path: Path):
    with listening(GUARDED, context(tmp_path)) as (port, asked):
        met = try_anonymous(HOST, port, patient())
    assert met == AnonymousAccess(
        plain=False, anonymous=False, mechanisms=("SCRAM-SHA-512",), tried="SCRAM-SHA-512", wrong_login=REFUSED
    )
    assert set(asked) == {*KEYS.values(), STRANGE}
    assert asked.count("SaslAuthenticateRequest") == 1  # nobody is locked out by us


def test_an_open_listener_serves_anybody():
    with listening(OPEN) as (port, _):
        assert try_anonymous(HOST, port, patient()) == AnonymousAccess(
            plain=True, anonymous=True, mechanisms=(), tried=NOT_TRIED, wrong_login=NOT_TRIED
        )


@pytest.mark.parametrize("version", [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3])
def test_who_has_no_certificate_stays_outside(tmp_path: Path, version: ssl.TLSVersion):
    tls = context(tmp_path, first=version, last=version, clients=ssl.CERT_REQUIRED)
    with listening(MUTUAL, tls) as (port, asked):
        assert try_anonymous(HOST, port, patient()) == AnonymousAccess(
            plain=False, anonymous=False, mechanisms=(), tried=NOT_TRIED, wrong_login=NOT_TRIED
        )
    assert asked == []


def test_a_listener_that_encrypts_and_asks_for_nothing_is_open(tmp_path: Path):
    answers = {f"{name} in TLS": answer for name, answer in OPEN.items()} | {"ApiVersionsRequest": "15030300020250"}
    with listening(answers, context(tmp_path)) as (port, _):
        assert try_anonymous(HOST, port, patient()) == AnonymousAccess(
            plain=False, anonymous=True, mechanisms=(), tried=NOT_TRIED, wrong_login=NOT_TRIED
        )


def test_a_listener_that_offers_a_login_and_does_not_want_one_is_open():
    metadata = framed(MetadataResponse[4](throttle_time_ms=0, brokers=[], cluster_id="c", controller_id=1, topics=[]))
    answers = OPEN | SASL | {STRANGE: offering("GSSAPI"), "MetadataRequest": metadata}
    with listening(answers) as (port, _):
        assert try_anonymous(HOST, port, patient()) == AnonymousAccess(
            plain=True, anonymous=True, mechanisms=("GSSAPI",), tried=NOT_TRIED, wrong_login=NOT_TRIED
        )


@pytest.mark.parametrize(("code", "outcome"), [(58, REFUSED), (0, ACCEPTED)])
def test_a_made_up_user_is_let_in_or_not(code: int, outcome: str):
    answers = (
        OPEN
        | SASL
        | {
            STRANGE: offering("GSSAPI", "PLAIN"),
            "MetadataRequest": "closed",
            "SaslAuthenticateRequest": login(code),
        }
    )
    with listening(answers) as (port, _):
        assert try_anonymous(HOST, port, patient()) == AnonymousAccess(
            plain=True, anonymous=False, mechanisms=("GSSAPI", "PLAIN"), tried="PLAIN", wrong_login=outcome
        )


def test_a_login_that_ends_in_another_error_was_neither():
    answers = (
        OPEN
        | SASL
        | {
            STRANGE: offering("PLAIN"),
            "MetadataRequest": "closed",
            "SaslAuthenticateRequest": login(42),
        }
    )
    with listening(answers) as (port, _), pytest.raises(Garbled, match="error code 42"):
        try_anonymous(HOST, port, patient())


def test_a_listener_that_hides_who_exists_has_to_refuse_the_proof():
    answers = (
        OPEN
        | SASL
        | {
            STRANGE: offering("SCRAM-SHA-256"),
            "MetadataRequest": "closed",
            "SaslAuthenticateRequest": login(0, b"r=abc,s=c2FsdA==,i=4096"),
        }
    )
    with listening(answers) as (port, asked):
        assert try_anonymous(HOST, port, patient()).wrong_login == ACCEPTED  # it took the wrong proof too
    assert asked.count("SaslAuthenticateRequest") == 2


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        ("refused", Unreachable),
        ("black hole", TimedOut),
        ("closed at once", CannotLook),
        ("reset", CannotLook),
        ("garbage", CannotLook),
        ("another protocol", CannotLook),
        ("truncated", CannotLook),
    ],
)
def test_who_does_not_answer_as_kafka_was_not_tried(fault: str, kind: type[CannotLook]):
    with faulty_server(fault) as address, pytest.raises(kind):
        try_anonymous(HOST, int(address.rpartition(":")[2]), patient(1.0))

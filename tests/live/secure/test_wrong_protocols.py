"""Who comes by another protocol than the listener's is told what to set, whichever library asks: on real brokers."""

from typing import Any

import pytest

from kafka_lab import LabState, security
from live.secure.test_rights import observe, reader
from runbook.answers.kafka.errors import BadCertificate, NoLogin
from runbook.connections.kafka.listener_protocol import SpeaksOtherwise
from runbook.model.errors import CannotLook, NoTls
from support.evidence.labs import Labs
from support.kafka_libraries import BY_LIBRARY
from support.security.guarded import as_it_is

pytestmark = pytest.mark.live

SET = "set security.protocol to"
LOGIN = "sasl.mechanism to SCRAM-SHA-512, and the user's name and password"
TOLD = {
    ("PLAINTEXT", "CLIENTS"): f"takes TLS only and wants a login: {SET} SASL_SSL, {LOGIN}",
    ("PLAINTEXT", "MUTUAL"): f"takes TLS only: {SET} SSL or SASL_SSL",
    ("SSL", "CLIENTS"): f"wants a login: {SET} SASL_SSL, {LOGIN}",
    ("SSL", "PLAINTEXT"): f"takes no TLS: name the port of a listener with TLS, or {SET} PLAINTEXT",
    ("SASL_PLAINTEXT", "PLAINTEXT"): f"has no login: {SET} PLAINTEXT",
    ("SASL_PLAINTEXT", "CLIENTS"): f"takes TLS only: {SET} SASL_SSL",
    ("SASL_SSL", "PLAINTEXT"): (
        f"takes no TLS and has no login: name the port of a listener with TLS, or {SET} PLAINTEXT"
    ),
}
"""Our protocol and the listener → what is told. MUTUAL is TLS that wants a certificate."""


@pytest.fixture(scope="module")
def lab(running: Labs) -> LabState:
    """A lab with encryption, logins and rights."""
    return as_it_is(running.of("secure"))


def address(lab: LabState, listener: str) -> str:
    broker = lab.broker(1)
    return broker.address if listener == "PLAINTEXT" else security.address(lab, broker, listener)


def refusal(lab: LabState, listener: str, **other: str) -> CannotLook:
    """Why the cluster can't be asked, coming as the inventory does with other settings in place of some."""
    settings = reader(lab, bootstrap_servers=address(lab, listener), **other)
    with pytest.raises(CannotLook) as caught:
        observe(settings, "kafka_broker")
    return caught.value


@BY_LIBRARY
@pytest.mark.parametrize(("ours", "listener"), TOLD)
def test_the_remedy_is_named(lab: LabState, ours: str, listener: str, more: dict[str, Any]) -> None:
    told = refusal(lab, listener, security_protocol=ours, **more)
    assert isinstance(told, SpeaksOtherwise)
    assert str(told) == f"{address(lab, listener)} {TOLD[ours, listener]}"


@BY_LIBRARY
def test_a_listener_that_wants_a_certificate_says_so(lab: LabState, more: dict[str, Any]) -> None:
    told = refusal(lab, "MUTUAL", security_protocol="SSL", **more)
    assert isinstance(told, NoTls)
    assert "wants a certificate of ours that it trusts: see ssl.certificate.location" in str(told)


@BY_LIBRARY
def test_a_login_where_there_is_none_is_not_called_a_wrong_password(lab: LabState, more: dict[str, Any]) -> None:
    told = refusal(lab, "MUTUAL", **certificate(lab), **more)
    assert isinstance(told, NoLogin)
    assert str(told) == f"{address(lab, 'MUTUAL')} has no login, and our settings name one"


@BY_LIBRARY
def test_an_unknown_authority_is_told_without_the_numbers_of_openssl(lab: LabState, more: dict[str, Any]) -> None:
    told = refusal(lab, "CLIENTS", ssl_ca_location="/etc/ssl/certs/ca-certificates.crt", **more)
    assert isinstance(told, BadCertificate)
    assert ("authority in ssl.ca.location" if more else "unable to get local issuer certificate") in str(told)
    assert "error:" not in str(told)
    assert "_ssl.c" not in str(told)


def certificate(lab: LabState) -> dict[str, str]:
    """The settings that show an application's certificate."""
    folder = security.folder(lab)
    return {
        "ssl_certificate_location": str(folder / f"{security.APPLICATION}.crt"),
        "ssl_key_location": str(folder / f"{security.APPLICATION}.key"),
    }

import ssl
from pathlib import Path

import pytest

from runbook.answers.tls import Endpoint
from runbook.connections.tls import look as module
from runbook.connections.tls.handshake import Met, Terms
from runbook.connections.tls.look import look
from runbook.connections.tls.outside import merged
from runbook.model.errors import Garbled, TimedOut
from runbook.model.probe import Deadline
from support.tls_servers import HOST, context, serving


def patient() -> Deadline:
    return Deadline(120, patience=20)


def test_all_versions_and_weak_ciphers_are_tried(tmp_path: Path):
    weak = context(tmp_path, first=ssl.TLSVersion.TLSv1, ciphers="ALL:aNULL")
    with serving(weak) as port:
        seen = look(Endpoint(HOST, port), patient())
    assert seen.protocols == ("TLSv1", "TLSv1.1", "TLSv1.2", "TLSv1.3")
    assert seen.refused == ()
    assert set(seen.weak) == {"without authentication"}
    assert (seen.demands_certificate, seen.open, len(seen.chain)) == (False, (), 1)


def test_a_careful_server_refuses_what_is_old_and_weak(tmp_path: Path):
    with serving(context(tmp_path, first=ssl.TLSVersion.TLSv1_3, clients=ssl.CERT_REQUIRED)) as port:
        seen = look(Endpoint(HOST, port), patient())
    assert (seen.protocols, seen.refused) == (("TLSv1.3",), ("TLSv1", "TLSv1.1", "TLSv1.2"))
    assert (seen.weak, seen.demands_certificate, seen.open) == ({}, True, ())


def test_an_alert_that_does_not_speak_of_versions_refuses_none(monkeypatch: pytest.MonkeyPatch):
    def answer(_host: str, _port: int, terms: Terms, _patience: float) -> Met:
        return Met(version="TLSv1.3") if terms.first == "TLSv1.3" else Met(refusal="tls alert internal error")

    monkeypatch.setattr(module, "shake_hands", answer)
    seen = look(Endpoint(HOST, 1), patient())
    assert (seen.protocols, seen.refused) == (("TLSv1.3",), ())
    assert "TLSv1.2 could not be tried: it answered with the alert 'tls alert internal error'" in seen.open[0]


def test_a_version_that_gets_no_answer_stays_open(monkeypatch: pytest.MonkeyPatch):
    def answer(_host: str, _port: int, terms: Terms, _patience: float) -> Met:
        if terms.first == "TLSv1":
            raise TimedOut("did not answer in its time")
        return Met(version=terms.first, demands_certificate=None if terms.first == "TLSv1.2" else False)

    monkeypatch.setattr(module, "shake_hands", answer)
    seen = look(Endpoint(HOST, 1), patient())
    assert "TLSv1" not in (*seen.protocols, *seen.refused)
    assert seen.open[0] == "TLSv1 could not be tried: it did not answer in its time"
    assert seen.demands_certificate is None


def test_what_this_machine_can_not_offer_is_not_taken_for_refused(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(module, "can_offer", lambda terms: terms.first != "TLSv1")
    monkeypatch.setattr(module, "shake_hands", lambda _h, _p, terms, _t: Met(version=terms.first))
    seen = look(Endpoint(HOST, 1), patient())
    assert "TLSv1" not in seen.refused
    assert seen.open == ("TLSv1 could not be tried: the TLS library of this machine can't offer it",)


def test_who_refuses_every_version_was_not_looked_at(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(module, "shake_hands", lambda *_: Met(refusal="tlsv1 alert protocol version"))
    with pytest.raises(Garbled, match="none of its versions from"):
        look(Endpoint(HOST, 1), patient())


def test_an_address_known_in_two_ways_is_one_endpoint():
    given = Endpoint("a", 1, origins=("bootstrap",))
    advertised = Endpoint("a", 1, 2, "CLIENTS", ("advertised",))
    assert merged([given, advertised, given]) == [Endpoint("a", 1, 2, "CLIENTS", ("bootstrap", "advertised"))]
    assert Endpoint("::1", 9).address == "[::1]:9"
    assert given.label == "bootstrap a:1"
    assert advertised.label == "CLIENTS of broker 2 (a:1)"

from pathlib import Path
from typing import Any

import pytest

from runbook.answers.kafka import Setting
from runbook.connections import tls
from runbook.connections.tls import learning
from runbook.model.errors import Unreachable
from runbook.model.fact import Gap
from runbook.model.probe import Deadline
from support.tls_servers import HOST, context, serving

MAP = "PLAINTEXT:PLAINTEXT,CLIENTS:SASL_SSL,CONTROLLER:SSL"


class FakeKafka:
    """What brokers tell of themselves."""

    def __init__(self, settings: dict[int, dict[str, str]] | Unreachable, gaps: list[Gap]) -> None:
        self.settings, self.gaps, self.closed = settings, gaps, False

    def broker_settings(self) -> Any:
        """All their settings."""
        if isinstance(self.settings, Unreachable):
            raise self.settings
        settings = {
            n: {k: Setting(v, "STATIC_BROKER_CONFIG") for k, v in of_broker.items()}
            for n, of_broker in self.settings.items()
        }
        return settings, self.gaps

    def close(self) -> None:
        """Note that it was closed."""
        self.closed = True


def learned(monkeypatch: pytest.MonkeyPatch, kafka: FakeKafka, **settings: str):
    monkeypatch.setattr(learning.kafka, "connect", lambda *_: kafka)
    given = {"bootstrap.servers": "boot.example:9093,[::1]:9093"} | {
        k.replace("_", "."): v for k, v in settings.items()
    }
    found, gaps = tls.connect({"kafka": given}, Deadline(20)).endpoints()
    assert kafka.closed
    return {(endpoint.address, endpoint.broker, endpoint.listener, endpoint.origins) for endpoint in found}, gaps


def test_encrypted_listeners_controllers_and_bootstrap_servers_are_learned(monkeypatch: pytest.MonkeyPatch):
    broker = {
        "listeners": "PLAINTEXT://:9092,CLIENTS://0.0.0.0:9093",
        "advertised.listeners": "PLAINTEXT://a.example:9092,CLIENTS://a.example:9093",
        "listener.security.protocol.map": MAP,
        "controller.listener.names": "CONTROLLER",
        "controller.quorum.voters": "7@c.example:9094",
    }
    found, gaps = learned(monkeypatch, FakeKafka({1: broker}, []), security_protocol="sasl_ssl")
    assert gaps == []
    assert found == {
        ("boot.example:9093", -1, "", ("bootstrap",)),
        ("[::1]:9093", -1, "", ("bootstrap",)),
        ("a.example:9093", 1, "CLIENTS", ("advertised",)),
        ("c.example:9094", -1, "", ("controller",)),
    }


def test_a_broker_that_tells_nothing_is_a_gap(monkeypatch: pytest.MonkeyPatch):
    found, gaps = learned(monkeypatch, FakeKafka({1: {}}, [Gap("broker 2 is silent", {"broker": 2})]))
    assert found == set()
    assert [gap.reason for gap in gaps] == ["broker 2 is silent", "broker 1 does not tell its listeners"]


def test_without_kafka_what_was_given_is_looked_at_and_the_rest_is_a_gap(monkeypatch: pytest.MonkeyPatch):
    found, gaps = learned(monkeypatch, FakeKafka(Unreachable("it is away"), []), security_protocol="SSL")
    assert len(found) == 2
    assert [gap.reason for gap in gaps] == ["the listeners of Kafka are not known: it is away"]


def test_one_endpoint_that_is_away_costs_its_own_rows_only(tmp_path: Path):
    with serving(context(tmp_path)) as port:
        away = f"{HOST}:1"
        seen, gaps = tls.connect({"endpoints": [away, f"{HOST}:{port}"]}, Deadline(60)).looks()
    assert [endpoint.port for endpoint, _ in seen] == [port]
    assert [gap.keys for gap in gaps] == [{"endpoint": away}]
    assert "can't be reached: connection refused" in gaps[0].reason

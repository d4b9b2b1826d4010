"""A lab whose controllers know each other by their settings: a static quorum, as all were before Kafka 3.9."""

from typing import Any

import pytest

from kafka_lab import LabState, parts
from kafka_lab.state import LabBroker


def asked(request: pytest.FixtureRequest) -> bool:
    """Whether a test asks a fixture for a static quorum: with `indirect`, and the parameter "static"."""
    return getattr(request, "param", "dynamic") == "static"


def use(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the labs that are started from now on name their voters in the settings of each node."""
    others = parts.broker_settings

    def settings(lab: LabState, broker: LabBroker) -> dict[str, Any]:
        voters = ",".join(f"{one.number}@127.0.0.1:{one.controller_port}" for one in lab.brokers)
        named = {"controller.quorum.voters": voters, "controller.quorum.bootstrap.servers": None}
        return others(lab, broker) | named

    monkeypatch.setattr(parts, "broker_settings", settings)

"""A real lab with logins: who gets in, and what the least rights show."""

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from runbook import lab as labs
from runbook.connections.kafka import connect
from runbook.engine.catalog import catalog
from runbook.engine.errors import CannotLook
from runbook.engine.fact import Fact, tabulate
from runbook.engine.probe import Clock
from runbook.engine.secret import resolve
from runbook.lab import LabState, parts, security

pytestmark = pytest.mark.live

PATIENCE = 30.0
KAFKA = [name for name in catalog("probes").names() if name.startswith("kafka_")]


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LabState]:
    """A lab with encryption, logins and rights."""
    home = tmp_path_factory.mktemp("secure")
    try:
        yield labs.up("secure", home=home, progress=logging.getLogger("lab").info, with_parts=["security"])
    finally:
        labs.down("secure", home=home)


def reader(lab: LabState, **other: str) -> dict[str, object]:
    """The settings by which the inventory comes in, with others in place of some."""
    settings = parts.connections(lab)["kafka"] | {name.replace("_", "."): value for name, value in other.items()}
    return resolve(settings)[0]


def observe(settings: dict[str, object], probe: str) -> Fact:
    connection = connect(settings, Clock(PATIENCE, patience=PATIENCE / 3))
    try:
        module = catalog("probes").load(probe)
        return tabulate(probe, module.PROBE.columns, module.observe(connection))
    finally:
        connection.close()


@pytest.mark.parametrize("probe", KAFKA)
def test_the_least_rights_leave_no_probe_of_kafka_a_gap(lab: LabState, probe: str):
    assert observe(reader(lab), probe).gaps == []


def test_a_wrong_password_gets_nothing(lab: LabState):
    with pytest.raises(CannotLook, match="did not accept our credentials"):
        observe(reader(lab, sasl_password="wrong"), "kafka_broker")


def test_a_client_without_a_certificate_gets_nothing_from_the_listener_that_demands_one(lab: LabState):
    bare = {"bootstrap.servers": security.bootstrap(lab, "MUTUAL"), "security.protocol": "SSL"}
    settings = bare | {"ssl.ca.location": str(security.folder(lab) / "ca.crt")}
    with pytest.raises(CannotLook):
        observe(settings, "kafka_broker")
    of_application = {
        "ssl.certificate.location": str(security.folder(lab) / f"{security.APPLICATION}.crt"),
        "ssl.key.location": str(security.folder(lab) / f"{security.APPLICATION}.key"),
    }
    assert len(observe(settings | of_application, "kafka_broker")) == 3


def test_an_application_sees_its_own_topic_only(lab: LabState):
    password = Path(security.password_file(lab, security.APPLICATION)).read_text("ascii")
    fact = observe(reader(lab, sasl_username=security.APPLICATION, sasl_password=password), "kafka_topic")
    assert fact.columns["name"] == ["orders"]
    assert fact.gaps

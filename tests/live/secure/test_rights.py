"""Wrong credentials get nothing, and the least rights are enough: asked of a real lab with logins in every run."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kafka_lab import LabState, parts, security
from runbook.connections.kafka import connect
from runbook.model.errors import CannotLook
from runbook.model.fact import Fact, tabulate
from runbook.model.probe import Deadline
from runbook.plugins.catalog import catalog
from runbook.run.sources.secret_references import resolve
from support.documented_rights import kafka_probes
from support.evidence.labs import Labs
from support.security.guarded import as_it_is

pytestmark = pytest.mark.live

PATIENCE = 60.0
KAFKA = kafka_probes()


@pytest.fixture(scope="module")
def lab(running: Labs) -> LabState:
    """A lab with encryption, logins and rights."""
    return as_it_is(running.of("secure"))


def reader(lab: LabState, **other: str) -> dict[str, object]:
    """The settings by which the inventory comes in, with others in place of some."""
    settings = parts.connections(lab)["kafka"] | {name.replace("_", "."): value for name, value in other.items()}
    return resolve(settings)[0]


def ask(connection: Any, probe: str) -> Fact:
    module = catalog("probes").load(probe)
    return tabulate(probe, module.PROBE.columns, module.observe(connection))


def observe(settings: dict[str, object], probe: str, patience: float = PATIENCE) -> Fact:
    connection = connect(settings, Deadline(patience, patience=patience / 3))
    try:
        return ask(connection, probe)
    finally:
        connection.close()


@pytest.fixture(scope="module")
def least(lab: LabState) -> Iterator[Any]:
    """A connection with the least rights, for one probe after the other."""
    connection = connect(reader(lab), Deadline(PATIENCE * len(KAFKA), patience=PATIENCE))
    yield connection
    connection.close()


@pytest.mark.parametrize("probe", KAFKA)
def test_the_least_rights_leave_no_probe_of_kafka_a_gap(least: Any, probe: str):
    assert ask(least, probe).gaps == []


def test_a_wrong_password_gets_nothing(lab: LabState):
    with pytest.raises(CannotLook, match="did not accept our credentials"):
        observe(reader(lab, sasl_password="wrong"), "kafka_broker")


def test_a_client_without_a_certificate_gets_nothing_from_the_listener_that_demands_one(lab: LabState):
    bare = {"bootstrap.servers": security.bootstrap(lab, "MUTUAL"), "security.protocol": "SSL"}
    settings = bare | {"ssl.ca.location": str(security.folder(lab) / "ca.crt")}
    with pytest.raises(CannotLook):
        observe(settings, "kafka_broker", patience=15)
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

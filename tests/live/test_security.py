"""A real lab with logins: who gets in, what the least rights show, and what its faults change."""

import json
import logging
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from documented_rights import kafka_probes
from runbook import lab as labs
from runbook.connections.kafka import connect
from runbook.engine.catalog import catalog
from runbook.engine.errors import CannotLook
from runbook.engine.fact import Fact, tabulate
from runbook.engine.probe import Clock
from runbook.engine.reference import resolve
from runbook.lab import LabState, parts, security

pytestmark = pytest.mark.live

PATIENCE = 30.0
KAFKA = kafka_probes()


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LabState]:
    """A lab with encryption, logins and rights."""
    home = tmp_path_factory.mktemp("secure")
    try:
        yield labs.up("secure", home=home, progress=logging.getLogger("lab").info, with_parts=["security", "jmx"])
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


RUNBOOK = str(Path(sys.executable).with_name("runbook"))


@pytest.fixture
def whole(lab: LabState) -> Iterator[LabState]:
    """The lab; whatever a test did to it is undone afterwards."""
    yield lab
    labs.heal(lab.name, home=Path(lab.folder).parent)


def outcomes(lab: LabState, **environment: Any) -> dict[str, str]:
    """Check -> outcome, by the command and the lab's own inventory, with other entries in place of some."""
    import yaml

    inventory = Path(lab.folder, "environments.yaml")
    whole = yaml.safe_load(inventory.read_text())
    whole["environments"][lab.name] |= environment
    other = inventory.with_name("other.yaml")
    other.write_text(yaml.safe_dump(whole))
    command = [RUNBOOK, "check", "security", "-i", str(other), "-f", "json", "--deadline", "90s"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=150, env=os.environ, check=False)
    assert done.stderr == ""
    return {one["check"].partition("/")[2]: one["outcome"] for one in json.loads(done.stdout)["results"]}


ACTIVE = {
    *("nobody-comes-in-without-credentials", "made-up-users-are-refused", "encrypted-listeners-refuse-plain-text"),
    "offered-mechanisms-are-those-configured",
    "metrics-are-not-for-everybody",
}
FROM_OUTSIDE = {
    *ACTIVE,
    "certificates-have-not-expired",
    "old-versions-of-tls-are-off",
    "client-listeners-are-encrypted",
}


def test_a_guarded_lab_passes_all_that_is_looked_at_from_outside(lab: LabState):
    found = outcomes(lab)
    assert {check for check in FROM_OUTSIDE if found[check] != "pass"} == set()


def test_nothing_is_tried_without_leave(lab: LabState):
    found = outcomes(lab, active=False)
    assert {check for check in ACTIVE if found[check] != "unknown"} == set()
    assert found["client-listeners-are-encrypted"] == "pass"


@pytest.mark.parametrize(
    ("fault", "checks"),
    [
        ("expired-certificate", {"certificates-have-not-expired", "certificates-hold-for-weeks"}),
        ("expiring-certificate", {"certificates-hold-for-weeks"}),
        ("wrong-name-certificate", {"certificates-name-their-host"}),
        ("self-signed-certificate", {"certificates-lead-to-a-trusted-authority"}),
        ("old-tls", {"old-versions-of-tls-are-off"}),
        ("open-listener", {"nobody-comes-in-without-credentials", "client-listeners-are-encrypted"}),
    ],
)
def test_a_fault_fails_the_checks_that_are_about_it_and_none_besides(whole: LabState, fault: str, checks: set[str]):
    labs.break_(whole.name, fault, home=Path(whole.folder).parent)
    assert {check for check, outcome in outcomes(whole).items() if outcome == "fail"} == checks


@pytest.mark.parametrize("fault", ["allow-all-acl", "no-quotas", "weak-scram"])
def test_what_is_broken_by_requests_is_undone_by_requests(whole: LabState, fault: str):
    home = Path(whole.folder).parent
    for _ in range(2):
        labs.break_(whole.name, fault, home=home)
        assert labs.heal(whole.name, home=home) == [fault]


FROM_INSIDE = {
    *("an-authorizer-decides-on-every-broker", "the-authorizer-fits-the-cluster", "nothing-is-allowed-to-everybody"),
    *("nobody-may-do-everything", "few-may-change-the-cluster", "no-right-is-taken-back", "no-right-is-given-twice"),
    *("passwords-are-hashed-many-times", "clients-of-which-nobody-thought-are-limited"),
}
HIDDEN_BY_KAFKA = {
    *("what-no-acl-names-is-refused", "super-users-are-those-declared", "no-password-stands-in-a-brokers-file"),
}


def test_a_guarded_lab_passes_what_is_looked_at_from_inside_but_for_what_kafka_hides(lab: LabState):
    found = outcomes(lab)
    assert {check for check in FROM_INSIDE if found[check] != "pass"} == set()
    assert {check for check in HIDDEN_BY_KAFKA if found[check] != "unknown"} == set()


@pytest.mark.parametrize(
    ("fault", "checks"),
    [
        ("allow-all-acl", {"nothing-is-allowed-to-everybody", "nobody-may-do-everything"}),
        ("no-quotas", {"clients-of-which-nobody-thought-are-limited"}),
        ("weak-scram", {"passwords-are-hashed-many-times"}),
    ],
)
def test_a_fault_of_rights_fails_the_checks_that_are_about_it_and_none_besides(
    whole: LabState, fault: str, checks: set[str]
):
    labs.break_(whole.name, fault, home=Path(whole.folder).parent)
    assert {check for check, outcome in outcomes(whole).items() if outcome == "fail"} == checks


DECLARED = {
    "security/services-have-the-rights-that-they-need": {"must": [f"User:{security.APPLICATION} Read Topic orders"]},
    "security/nobody-has-a-right-that-was-ruled-out": {"must_not": ["User:anybody Read Topic orders"]},
    "security/acls-are-those-declared": {"declared": ["Allow User:nobody * Read Topic nothing Literal"]},
}


def test_rights_that_were_declared_are_judged_by_the_acls_that_there_are(whole: LabState):
    found = outcomes(whole, params=DECLARED)
    assert found["services-have-the-rights-that-they-need"] == "pass"
    assert found["nobody-has-a-right-that-was-ruled-out"] == "pass"
    assert found["acls-are-those-declared"] == "fail"
    labs.break_(whole.name, "allow-all-acl", home=Path(whole.folder).parent)
    assert outcomes(whole, params=DECLARED)["nobody-has-a-right-that-was-ruled-out"] == "fail"


def test_the_line_of_releases_is_one_of_which_nothing_is_published_and_denials_are_logged(lab: LabState):
    found = outcomes(lab)
    assert found["no-line-of-releases-has-a-known-vulnerability"] == "pass"
    assert found["denials-are-logged"] == "pass"

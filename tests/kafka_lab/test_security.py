"""The part `security` without a broker: what is written for brokers, and what faults alter."""

import ssl
import stat
from collections.abc import Callable

import pytest

from kafka_lab import parts, rights, security
from kafka_lab.configuration import properties_file, settings_of
from kafka_lab.errors import LabError
from kafka_lab.inventory import environment
from kafka_lab.state import LabState
from support.documented_rights import Right, documented_rights

Pretend = Callable[[str], LabState]


@pytest.fixture
def lab(pretend: Pretend, monkeypatch: pytest.MonkeyPatch) -> LabState:
    """A lab with logins; its brokers are restarted without waiting for what they can't do."""
    for wait in ("wait_for_brokers", "wait_for_full_isr"):
        monkeypatch.setattr(security, wait, lambda _lab, **_: None)
    monkeypatch.setattr(security.brokers, "start", lambda _lab, broker: restarted.append(broker.number))
    restarted: list[int] = []
    made = pretend("one")
    made.parts["security"] = parts._load("security").prepare(made, lambda _: None)
    made.parts["security"]["restarted"] = restarted
    return made


def test_the_user_of_this_tool_gets_the_rights_of_the_page_and_no_others():
    operations = {"describe": "Describe", "describe_configs": "DescribeConfigs"}
    given = {Right(operations[right.operation], right.kind, right.name) for right in rights.documented("runbook")}
    assert given == set(documented_rights())


def test_keys_and_passwords_are_their_owners_alone(lab: LabState):
    folder = security.folder(lab)
    assert len({security.password(lab, user) for user in ("runbook", "billing", "runbook")}) == 2
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    private = [file for file in folder.iterdir() if file.suffix in {".key", ".pem", ".password"}]
    assert {stat.S_IMODE(file.stat().st_mode) for file in private} == {0o600}
    parts._load("security").stop(lab, {})
    assert not folder.exists()


def test_brokers_get_certificates_of_one_authority(lab: LabState):
    folder = security.folder(lab)
    context = ssl.create_default_context(cafile=str(folder / "ca.crt"))
    for name in ("broker-1", "clients-3"):
        context.load_cert_chain(folder / f"{name}.pem")


def test_each_listener_says_how_it_is_protected(lab: LabState):
    settings = settings_of(lab, lab.brokers[1])
    protocols = dict(pair.split(":") for pair in settings["listener.security.protocol.map"].split(","))
    assert protocols == {"PLAINTEXT": "PLAINTEXT", "CLIENTS": "SASL_SSL", "MUTUAL": "SSL", "CONTROLLER": "SSL"}
    assert settings["inter.broker.listener.name"] == "MUTUAL"
    assert f"CLIENTS://{security.address(lab, lab.brokers[1], 'CLIENTS')}" in settings["advertised.listeners"]
    assert "CONTROLLER" not in settings["advertised.listeners"]
    assert settings["allow.everyone.if.no.acl.found"] == "false"


def test_the_inventory_comes_in_as_the_reader(lab: LabState):
    kafka = environment(lab)["kafka"]
    assert kafka["sasl.username"] == "runbook"
    assert kafka["bootstrap.servers"].split(",") == [security.address(lab, broker, "CLIENTS") for broker in lab.brokers]
    assert kafka["sasl.password"]["file"] == str(security.password_file(lab, "runbook"))


def test_what_is_altered_is_in_force_after_a_restart_and_gone_when_restored(lab: LabState):
    security.alter(lab, [2], {"super.users": "User:*"}, ["-Dodd=1"])
    assert "super.users=User:*\n" in properties_file(lab, lab.broker(2)).read_text()
    assert parts.jvm_options(lab, lab.broker(2)) == ["-Dodd=1"]
    assert parts.jvm_options(lab, lab.broker(1)) == []
    security.open_listener(lab, 3, "OPEN", 31999)
    assert "OPEN://127.0.0.1:31999" in settings_of(lab, lab.broker(3))["listeners"]
    security.restore(lab)
    assert lab.parts["security"]["restarted"] == [2, 3, 2, 3]
    assert "User:*" not in properties_file(lab, lab.broker(2)).read_text()
    assert "OPEN" not in settings_of(lab, lab.broker(3))["listeners"]
    assert parts.jvm_options(lab, lab.broker(2)) == []


def test_it_does_not_go_with_zookeeper(pretend: Pretend):
    lab = pretend("one")
    lab.parts = {"zookeeper": {}, "security": {}}
    with pytest.raises(LabError, match="security and zookeeper do not go together"):
        parts._load("security").prepare(lab, lambda _: None)


def test_a_lab_without_it_has_nothing_to_alter(pretend: Pretend):
    with pytest.raises(LabError, match="runbook lab up --name one --with security"):
        security.alter(pretend("one"), [1])


def test_metrics_ask_for_the_same_login(lab: LabState, pretend: Pretend):
    jmx = parts._load("jmx")
    lab.parts["jmx"] = {"jars": "/jars", "rules": "/rules", "jolokia": {"1": 1}, "exporter": {"1": 2}}
    [jolokia, _] = jmx.agents(lab, 1, 2)
    password = security.password(lab, "runbook")
    file = security.folder(lab) / "jolokia.properties"
    assert f"config={file}" in jolokia
    assert password not in jolokia
    assert file.read_text() == f"user=runbook\npassword={password}\n"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    offered = jmx.connections(lab, lab.parts["jmx"])
    assert {offered[kind]["username"] for kind in offered} == {"runbook"}
    assert "password" in jmx._rules(jmx._login(lab))
    assert "username" not in jmx.connections(pretend("two"), lab.parts["jmx"])["jolokia"]

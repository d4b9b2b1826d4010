"""Encryption, logins and rights: SASL_SSL and mutual TLS listeners, an authorizer, two users with the least rights."""

import importlib.util
import shutil
from typing import Any, Final

from kafka_lab import rights, security
from kafka_lab.errors import LabError
from kafka_lab.parts import Progress
from kafka_lab.ports import free_ports
from kafka_lab.state import LabBroker, LabState
from runbook.plugins.extras import install

HELP: Final = "SASL_SSL and mutual TLS listeners, ACLs and quotas; runbook comes in with the least rights"

# Ample for the lab's own commands, which are users like any other. Bytes a second; percent of a thread.
QUOTAS: Final = {"producer_byte_rate": 52428800, "consumer_byte_rate": 52428800, "request_percentage": 400}


def lacking() -> str:
    """Why brokers can have no certificates on this machine."""
    if importlib.util.find_spec("cryptography") is None:
        return f"the package cryptography is missing: {install('lab')}"
    return ""


def prepare(lab: LabState, progress: Progress) -> dict[str, Any]:
    """Make certificates and choose ports.

    Raises:
        LabError: the lab runs in ZooKeeper mode, which this part does not know.
    """
    if "zookeeper" in lab.parts:
        raise LabError("The parts security and zookeeper do not go together: choose one of them")
    progress("Issuing certificates")
    security.make_certificates(lab)
    ports = iter(free_ports(len(security.LISTENERS) * len(lab.brokers)))
    return {
        "ports": {str(broker.number): {name: next(ports) for name in security.LISTENERS} for broker in lab.brokers},
        "altered": {},
        "options": {},
        "opened": {},
    }


def broker_settings(lab: LabState, broker: LabBroker) -> dict[str, Any]:
    """Listeners, key stores and the authorizer."""
    return security.settings(lab, broker)


def jvm_options(lab: LabState, broker: LabBroker) -> list[str]:
    """None but those of faults."""
    options: list[str] = lab.parts[security.PART]["options"].get(str(broker.number), [])
    return options


def start(lab: LabState, progress: Progress) -> dict[str, Any]:
    """Create the users, what they may do, and quotas.

    Raises:
        LabError: the cluster refused.
    """
    progress("Creating users, ACLs and quotas")
    for user in (security.READER, security.APPLICATION):
        rights.add_user(lab, user, security.password(lab, user))
    rights.allow(lab, [*rights.documented(security.READER), *rights.of_application(security.APPLICATION)])
    rights.set_default_quotas(lab, QUOTAS)
    return lab.parts[security.PART]


def stop(lab: LabState, state: dict[str, Any]) -> None:
    """Remove the keys and passwords; what ran ends with the brokers."""
    del state
    shutil.rmtree(security.folder(lab), ignore_errors=True)


def connections(lab: LabState, state: dict[str, Any]) -> dict[str, Any]:
    """Kafka as the reader reaches it, and its listeners from outside."""
    del state
    return {
        "kafka": {
            "bootstrap.servers": security.bootstrap(lab),
            "security.protocol": "SASL_SSL",
            "sasl.mechanism": "SCRAM-SHA-512",
            "sasl.username": security.READER,
            "sasl.password": {"file": str(security.password_file(lab, security.READER))},
            "ssl.ca.location": str(security.folder(lab) / "ca.crt"),
        },
        "tls": {},
    }


def environment(lab: LabState, state: dict[str, Any]) -> dict[str, Any]:
    """The lab may be tried in every way; its own commands come in over PLAINTEXT, on the loopback interface."""
    del lab, state
    known = ("anonymous-clients-are-refused", "client-listeners-are-encrypted")
    return {"active": True, "params": {f"security/{check}": {"internal": ["PLAINTEXT"]} for check in known}}

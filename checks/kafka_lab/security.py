"""Brokers with encryption, logins and rights: what the part `security` keeps, and how faults alter it.

Each broker has four listeners. PLAINTEXT is for the lab's own commands, on the loopback interface. CLIENTS is
SASL_SSL with SCRAM-SHA-512, MUTUAL is TLS that demands a certificate; brokers and controllers speak to each other over
MUTUAL and CONTROLLER. CLIENTS has a certificate of its own, so that a fault of it harms clients alone.
"""

import secrets
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from kafka_lab import brokers
from kafka_lab.certificates import Authority
from kafka_lab.configuration import write_configuration
from kafka_lab.errors import LabError
from kafka_lab.processes import terminate
from kafka_lab.state import LabBroker, LabState
from kafka_lab.waiting import wait_for_brokers, wait_for_full_isr

PART: Final = "security"
READER: Final = "runbook"
APPLICATION: Final = "billing"
HOST: Final = "127.0.0.1"
NAMES: Final = (HOST, "localhost")
"""What the certificates of brokers are for."""
LISTENERS: Final = ("CLIENTS", "MUTUAL")

_STOPS_WITHIN = 8.0
_BACK_WITHIN = 180.0  # seconds; 6 on an idle machine


def folder(lab: LabState) -> Path:
    """Where certificates, keys and passwords are; only the owner may enter."""
    return Path(lab.folder, "security")


def address(lab: LabState, broker: LabBroker, listener: str) -> str:
    """Host and port of one of a broker's listeners."""
    return f"{HOST}:{lab.parts[PART]['ports'][str(broker.number)][listener]}"


def bootstrap(lab: LabState, listener: str = "CLIENTS") -> str:
    """The value of `bootstrap.servers` that names this listener of all brokers."""
    return ",".join(address(lab, broker, listener) for broker in lab.brokers)


def authority(lab: LabState) -> Authority:
    """The lab's authority.

    Raises:
        LabError: the lab runs without it.
    """
    required(lab)
    return Authority(folder(lab))


def make_certificates(lab: LabState) -> None:
    """Make the authority; for each broker a certificate among brokers and one for clients; one for an application."""
    made = Authority(folder(lab))
    for broker in lab.brokers:
        made.issue(f"broker-{broker.number}", f"broker-{broker.number}", names=NAMES)
        made.issue(_of_clients(broker), f"kafka-{broker.number}", names=NAMES)
    made.issue(APPLICATION, APPLICATION)
    for file in [name for broker in lab.brokers for name in (f"broker-{broker.number}", _of_clients(broker))]:
        write_key_store(lab, file)


def password(lab: LabState, user: str) -> str:
    """A user's password, which stands in a file of its own; made when it is first asked for."""
    file = password_file(lab, user)
    if not file.exists():
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        file.touch(0o600)
        file.write_text(secrets.token_urlsafe(24), encoding="ascii")
    return file.read_text("ascii")


def password_file(lab: LabState, user: str) -> Path:
    """The file that holds a user's password."""
    return folder(lab) / f"{user}.password"


def write_key_store(lab: LabState, file: str, chain: Sequence[str] = ()) -> None:
    """Put a key, its certificate and those that follow into one file, as Kafka reads them."""
    store = folder(lab) / f"{file}.pem"
    store.touch(0o600)
    names = (f"{file}.key", f"{file}.crt", *(f"{name}.crt" for name in chain))
    store.write_bytes(b"".join((folder(lab) / name).read_bytes() for name in names))


def settings(lab: LabState, broker: LabBroker) -> dict[str, Any]:
    """The settings of a broker in place of the lab's own, with what faults have altered."""
    state, number = lab.parts[PART], str(broker.number)
    listeners = {"PLAINTEXT": broker.address} | {name: address(lab, broker, name) for name in LISTENERS}
    protocols = {"PLAINTEXT": "PLAINTEXT", "CLIENTS": "SASL_SSL", "MUTUAL": "SSL", "CONTROLLER": "SSL"}
    for name, port in state["opened"].get(number, {}).items():
        listeners[name], protocols[name] = f"{HOST}:{port}", "PLAINTEXT"
    shown = ",".join(f"{name}://{where}" for name, where in listeners.items())
    clients = "listener.name.clients"
    supers = ["ANONYMOUS", *(f"broker-{broker.number}" for broker in lab.brokers)]  # ANONYMOUS: the lab's own commands
    made = {
        "listeners": f"{shown},CONTROLLER://127.0.0.1:{broker.controller_port}",
        "advertised.listeners": shown,
        "listener.security.protocol.map": ",".join(f"{name}:{kind}" for name, kind in protocols.items()),
        "inter.broker.listener.name": "MUTUAL",
        "ssl.keystore.type": "PEM",
        "ssl.keystore.location": folder(lab) / f"broker-{number}.pem",
        "ssl.truststore.type": "PEM",
        "ssl.truststore.location": folder(lab) / "ca.crt",
        "ssl.client.auth": "required",
        "ssl.principal.mapping.rules": "RULE:^CN=([^,]+).*$/$1/,DEFAULT",
        f"{clients}.ssl.client.auth": "none",
        f"{clients}.ssl.keystore.type": "PEM",
        f"{clients}.ssl.keystore.location": folder(lab) / f"{_of_clients(broker)}.pem",
        f"{clients}.sasl.enabled.mechanisms": "SCRAM-SHA-512",
        f"{clients}.scram-sha-512.sasl.jaas.config": (
            "org.apache.kafka.common.security.scram.ScramLoginModule required;"
        ),
        "authorizer.class.name": "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
        "allow.everyone.if.no.acl.found": "false",
        "super.users": ";".join(f"User:{name}" for name in supers),
    }
    altered: dict[str, str] = state["altered"].get(number, {})
    return made | altered


def alter(
    lab: LabState, numbers: Sequence[int], altered: Mapping[str, str] | None = None, options: Sequence[str] = ()
) -> None:
    """Restart brokers with other settings and more options for their JVMs, one after the other.

    Raises:
        LabError: one did not come back.
    """
    state = required(lab)
    for number in numbers:
        state["altered"][str(number)] = state["altered"].get(str(number), {}) | dict(altered or {})
        state["options"][str(number)] = [*state["options"].get(str(number), []), *options]
        restart(lab, number)


def open_listener(lab: LabState, number: int, listener: str, port: int) -> None:
    """Restart a broker with one more listener, in plain text."""
    required(lab)["opened"].setdefault(str(number), {})[listener] = port
    restart(lab, number)


def present(lab: LabState, number: int, file: str) -> None:
    """Restart a broker so that it shows its clients another certificate, of this name in the folder."""
    write_key_store(lab, file)
    alter(lab, [number], {"listener.name.clients.ssl.keystore.location": str(folder(lab) / f"{file}.pem")})


def restore(lab: LabState) -> None:
    """Restart every broker that was altered with the settings it began with.

    Raises:
        LabError: one did not come back.
    """
    state = lab.parts.get(PART)
    if not state:
        return
    changed = sorted({*state["altered"], *state["options"], *state["opened"]})
    for number in changed:
        for kept in ("altered", "options", "opened"):
            state[kept].pop(number, None)
        restart(lab, int(number))


def restart(lab: LabState, number: int) -> None:
    """Stop a broker in good order, start it as it is configured now, and wait until it takes part again."""
    broker = lab.broker(number)
    terminate(broker.process, patience=_STOPS_WITHIN)
    write_configuration(lab, broker)
    brokers.start(lab, broker)
    wait_for_brokers(lab, within=_BACK_WITHIN)
    wait_for_full_isr(lab, within=_BACK_WITHIN)


def required(lab: LabState) -> dict[str, Any]:
    """What the part keeps.

    Raises:
        LabError: the lab runs without it.
    """
    if not lab.parts.get(PART):
        raise LabError(f"Lab {lab.name} runs without encryption and logins: {lab.anew_with(PART)}")
    return lab.parts[PART]


def _of_clients(broker: LabBroker) -> str:
    return f"clients-{broker.number}"

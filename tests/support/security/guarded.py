"""A lab with encryption, logins and rights as it should be: how it is looked at, and what proves that it is so."""

import base64
import http.client
import json
import ssl
import time
from collections.abc import Iterator, Mapping
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final

import kafka_lab as labs
from kafka_lab import LabState, rights, rights_signs, security, tls_signs
from kafka_lab.admin import settings
from kafka_lab.breaking import in_force
from kafka_lab.errors import LabError
from kafka_lab.state import known
from support.evidence.expected import Expected
from support.evidence.fault import inventory_of, none_of
from support.evidence.scene import Scene, State, scene
from support.given_connections import give
from support.security import SECRET

FAULTS: Final = (
    *("expired-certificate", "expiring-certificate", "wrong-name-certificate", "self-signed-certificate", "old-tls"),
    *("open-listener", "allow-all-acl", "no-quotas", "weak-scram", "anonymous-allowed", "wildcard-super-user"),
)
PATIENCE: Final = 400.0  # brokers restart, and others may keep this machine busy
DEADLINE: Final = 90.0
_PROMPT: Final = 1.0  # the product gives one request three seconds at most
_MADE_UP: Final = (SECRET, "hunter22")
_LONG: Final = 30
"""A line of a key that is this long is one of its own; shorter ones may be in any text."""


def as_it_is(lab: LabState) -> LabState:
    """A lab as it is now: processes and settings of its brokers change with every scene."""
    return known(lab.name, Path(lab.folder).parent)


def inventory(lab: LabState, params: Mapping[str, Mapping[str, Any]] | None = None, **entries: Any) -> dict[str, Any]:
    """What the lab says of itself, with parameters of checks of security.md and other entries."""
    found = inventory_of(lab)
    environment = found["environments"][lab.name]
    more = {f"security/{check}": values for check, values in (params or {}).items()}
    give(environment, **entries, params=environment.get("params", {}) | more)
    return found


def secrets_of(lab: LabState) -> list[str]:
    """What no evidence may hold: passwords, private keys line by line, and what stands where no secret belongs."""
    passwords = [file.read_text("ascii") for file in security.folder(lab).glob("*.password")]
    keys = [file.read_text("ascii").splitlines() for file in security.folder(lab).glob("*.key")]
    return [*passwords, *(line for lines in keys for line in lines if len(line) > _LONG and "-" not in line), *_MADE_UP]


def guarded(lab: LabState) -> Mapping[str, bool]:
    """What proves that nobody comes in who should not, and that no fault of security is in force."""
    clients = {broker.number: security.address(lab, broker, "CLIENTS") for broker in lab.brokers}
    claims = {}
    for number, address in clients.items():
        claims[f"broker {number} turns away who has no login"] = not answers(lab, address, "SSL")
        claims[f"broker {number} turns away plain text"] = not answers(lab, address, "PLAINTEXT")
        claims[f"broker {number} takes clients in TLS 1.3"] = tls_signs.takes(address, ssl.TLSVersion.TLSv1_3)
        claims[f"broker {number} denies what no ACL allows"] = rights_signs.authorizer_of(lab, number)[1] == "DENIED"
        claims[f"the metrics of broker {number} ask for a login"] = (
            status_of_metrics(lab, number) == HTTPStatus.UNAUTHORIZED
        )
    given = {*rights.documented(security.READER), *rights.of_application(security.APPLICATION)}
    claims |= reader_comes_in(lab)
    claims["the rights of the two users are set, from any host"] = given <= rights_signs.allowed(lab)
    for fault in FAULTS:
        claims |= none_of(lambda fault=fault: in_force(lab, fault))()  # type: ignore[misc]
    return claims


def reader_comes_in(lab: LabState) -> dict[str, bool]:
    """What proves that every broker knows the user of the inventory and is trusted by a plain client."""
    login = {"sasl_username": security.READER, "sasl_password": security.password(lab, security.READER)}
    return {
        f"the reader comes in at broker {broker.number}": answers(
            lab, security.address(lab, broker, "CLIENTS"), "SASL_SSL", sasl_mechanism="SCRAM-SHA-512", **login
        )
        for broker in lab.brokers
    }


def prompt(lab: LabState) -> Mapping[str, bool]:
    """What proves that the lab answers in the time that the product has: a busy machine would be told as unknown."""
    claims = {}
    for broker in lab.brokers:
        for listener in security.LISTENERS:
            began = time.monotonic()
            tls_signs.takes(security.address(lab, broker, listener), ssl.TLSVersion.TLSv1_3)
            claims[f"{listener} of broker {broker.number} answers promptly"] = time.monotonic() - began < _PROMPT
        for bean, attribute in _TOLD.items():
            began = time.monotonic()
            answered = _jolokia(lab, broker.number, bean, attribute) == HTTPStatus.OK
            quick = time.monotonic() - began < _PROMPT
            claims[f"Jolokia tells the {attribute} of broker {broker.number} promptly"] = answered and quick
    return claims


_TOLD: Final = {"java.lang:type=Runtime": "Uptime", "kafka:type=kafka.Log4jController": "Loggers"}
"""MBean → an attribute of it that the agents' policy lets everybody read who may log in."""


def _jolokia(lab: LabState, number: int, bean: str, attribute: str) -> int:
    """What a broker's agent answers to the reader who asks for an attribute; the first time is slow in a new JVM."""
    login = f"{security.READER}:{security.password(lab, security.READER)}"
    return read_attribute(lab.parts["jmx"]["jolokia"][str(number)], bean, attribute, login)[0]


def read_attribute(port: int, bean: str, attribute: str, login: str = "") -> tuple[int, str]:
    """Ask a Jolokia agent for an attribute, by POST as its policy demands; gives the agent's status, and its answer.

    Raises:
        LabError: it did not answer.
    """
    shown = {"Authorization": f"Basic {base64.b64encode(login.encode()).decode()}"} if login else {}
    agent = http.client.HTTPConnection(security.HOST, port, timeout=20)
    try:
        agent.request("POST", "/jolokia/", json.dumps({"type": "read", "mbean": bean, "attribute": attribute}), shown)
        answer = agent.getresponse()
        text = answer.read().decode()
        return (int(json.loads(text)["status"]) if answer.status == HTTPStatus.OK else answer.status), text
    except (OSError, ValueError, http.client.HTTPException) as error:
        raise LabError(f"The Jolokia agent at port {port} did not answer: {error}") from error
    finally:
        agent.close()


def answers(lab: LabState, address: str, protocol: str, **more: str) -> bool:
    """Whether a plain client comes in at a listener."""
    from confluent_kafka import KafkaException
    from confluent_kafka.admin import AdminClient

    asked = {name.replace("_", "."): value for name, value in more.items()}
    authority = {"ssl.ca.location": str(security.folder(lab) / "ca.crt")} if protocol.endswith("SSL") else {}
    client = AdminClient(
        settings(lab) | {"bootstrap.servers": address, "security.protocol": protocol} | authority | asked
    )
    try:
        return bool(client.list_topics(timeout=3).brokers)
    except KafkaException:
        return False


def status_of_metrics(lab: LabState, number: int) -> int:
    """What a broker's page of metrics answers to whom does not log in."""
    page = http.client.HTTPConnection(security.HOST, lab.parts["jmx"]["exporter"][str(number)], timeout=20)
    try:
        page.request("GET", "/metrics")
        return page.getresponse().status
    except (OSError, http.client.HTTPException) as error:
        raise LabError(f"The metrics of broker {number} did not answer: {error}") from error
    finally:
        page.close()


def fault_of(
    fault: str, well: Expected, broken: Expected, *, params: Mapping[str, Mapping[str, Any]], module: str
) -> Scene:
    """The scene of a fault of security, named as it: before, during and after it.

    Args:
        fault: its name.
        well: what security.md must say before it, and after it.
        broken: what it must say during it. The words BROKER_1 and so on are the addresses of the listeners CLIENTS.
        params: of checks.
        module: where the scene belongs: `__name__`.
    """

    @scene({"before": {"security": well}, "during": {"security": broken}, "after": {"security": well}}, faults=(fault,))
    def play(lab: LabState, _folder: Path) -> Iterator[State]:
        home = Path(lab.folder).parent

        def state(name: str, *, faulty: bool) -> State:
            now = as_it_is(lab)

            def shown() -> Mapping[str, bool]:
                return in_force(now, fault)

            def claims() -> Mapping[str, bool]:
                return {**(shown() if faulty else {**none_of(shown)(), **reader_comes_in(now)}), **prompt(now)}

            words = {f"BROKER_{broker.number}": security.address(now, broker, "CLIENTS") for broker in now.brokers}
            words["OPEN"] = f"{security.HOST}:{now.parts['security']['opened'].get('3', {}).get('OPEN', '')}"
            environments = inventory(now, params)
            return State(
                name, environments, claims, words=words, secrets=secrets_of(now), within=PATIENCE, deadline=DEADLINE
            )

        yield state("before", faulty=False)
        labs.break_(lab.name, fault, home=home)
        try:
            yield state("during", faulty=True)
        finally:
            labs.heal(lab.name, home=home)
        yield state("after", faulty=False)

    return Scene(fault, module, play.play, play.expected, play.faults)

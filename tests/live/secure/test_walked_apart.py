"""security.md walked on a lab that it changes for good: an open cluster is closed, an authority is replaced."""

import json
import logging
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from kafka_lab import LabState, brokers, rights, rights_signs, security
from kafka_lab.certificates import Authority
from kafka_lab.configuration import properties_file, write_configuration
from kafka_lab.content import create_topics
from kafka_lab.ports import free_ports
from kafka_lab.processes import terminate
from kafka_lab.waiting import wait_for_brokers, wait_for_full_isr, wait_until
from live.secure.test_walked import LEAKS, PARCELS, SAFE, WITHIN, moves, others_lost_nothing
from support.careful_walker import Hand, Walked, does_nothing
from support.evidence.labs import kafka_lab
from support.numbered_records import GROUP, PARTITIONS, TOPIC
from support.operators import Operator, completed
from support.security.counted import LoggedInReader, LoggedInWriter, RefusalsToo
from support.security.guarded import inventory
from support.security.logins import (
    ADMIN,
    IN,
    READS,
    REFUSED,
    SHA_512,
    WRITES,
    HeldConnection,
    login,
    of_applications,
    with_users,
    write_client_file,
)
from support.until import until

pytestmark = [pytest.mark.live, pytest.mark.thorough]
LOG = logging.getLogger(__name__)
OPEN_BY_DEFAULT = "allow.everyone.if.no.acl.found"
MUST = [
    f"User:{WRITES} Write Topic {TOPIC}",
    f"User:{READS} Read Topic {TOPIC}",
    f"User:{READS} Read Group {GROUP}",
]


@pytest.fixture
def lab(tmp_path: Path) -> Iterator[LabState]:
    """A lab with logins that is down afterwards, so that it may be left in any state."""
    with kafka_lab("apart", tmp_path / "labs", ["security"]) as one:
        create_topics(one, {TOPIC: (PARTITIONS, 3, SAFE), PARCELS: (1, 3, SAFE)})
        yield one


@contextmanager
def at_work(lab: LabState, folder: Path, told: dict[str, Any], reach: tuple[Any, Any]) -> Iterator[Operator]:
    """An administrator with Kafka's tools, and applications that are reached so: the reader, the writer."""
    one = Operator(lab, folder)
    one.ledger = ledger = RefusalsToo()
    write_client_file(lab, folder / "admin.properties", ADMIN)
    (folder / "environments.yaml").write_text(json.dumps(told), "utf-8")
    one.reader = LoggedInReader(ledger, lab, reach[0]).__enter__()
    one.writer = LoggedInWriter(ledger, lab, reach[1]).__enter__()
    try:
        wait_until(lambda: len(ledger.worked_on) > PARTITIONS, "numbered records to be read", within=WITHIN)
        yield one
    finally:
        one.stops()


def restart_without(lab: LabState, number: int, setting: str) -> None:
    """Restart a broker whose file has no line of this setting."""
    broker = lab.broker(number)
    terminate(broker.process, patience=8)
    write_configuration(lab, broker)
    file = properties_file(lab, broker)
    lines = [line for line in file.read_text("utf-8").splitlines() if not line.startswith(f"{setting}=")]
    file.write_text("\n".join(lines) + "\n", "utf-8")
    brokers.start(lab, broker)
    wait_for_brokers(lab, within=180)
    wait_for_full_isr(lab, within=180)


class Forgetful:
    """Who leaves a step out at first, and does it when the gate behind it stays closed and says what is missing."""

    def __init__(self) -> None:
        self.walked: Walked | None = None
        self.seen: list[str] = []
        self._left: list[tuple[Hand, Sequence[str], str]] = []

    def forgets(self, hand: Hand, missing: str) -> Hand:
        """A hand that leaves its step out; `missing` is what the gate has to say."""

        def acts(commands: Sequence[str]) -> None:
            self._left.append((hand, commands, missing))

        return acts

    def at_a_closed_gate(self, _: int) -> None:
        """Read what is missing, and do it."""
        assert self.walked is not None
        if self._left:
            hand, commands, missing = self._left.pop()
            gate = self.walked.told[self.walked.told.rindex("GATE ") :]
            assert "CLOSED" in gate
            assert missing in gate, gate
            self.seen.append(missing)
            hand(commands)


def opened(lab: LabState) -> dict[str, str]:
    """Open the lab: no ACL, what no ACL names is allowed, and a listener without logins; gives how that is reached."""
    supers = [*(f"User:broker-{broker.number}" for broker in lab.brokers), "User:ANONYMOUS", f"User:{ADMIN}"]
    ports = free_ports(len(lab.brokers))
    for broker, port in zip(lab.brokers, ports, strict=True):
        security.required(lab)["opened"][str(broker.number)] = {"OPEN": port}
        security.alter(lab, [broker.number], {OPEN_BY_DEFAULT: "true", "super.users": ";".join(supers)})
    given = rights_signs.allowed(lab)
    rights.disallow(lab, given)
    assert rights_signs.all_acls(lab) == []
    return {"bootstrap.servers": ",".join(f"{security.HOST}:{port}" for port in ports)}


def closes_for_others(lab: LabState, other: HeldConnection, first: rights.Right) -> bool:
    """Whether an ACL for one principal refuses another one, which is let in again when it is taken back."""
    rights.allow(lab, [first])
    refused = until(lambda: other.uses() == REFUSED)
    rights.disallow(lab, [first])
    return refused and until(lambda: other.uses() == IN)


def test_an_open_cluster_is_closed_and_nobody_who_is_meant_to_work_is_refused(lab: LabState, tmp_path: Path) -> None:
    with with_users(lab, [WRITES, READS, LEAKS], []):
        reached = opened(lab)
        other = HeldConnection(lab, PARCELS, login(lab, LEAKS))
        assert closes_for_others(lab, other, rights.Right(WRITES, "topic", PARCELS, "write"))
        assert closes_for_others(lab, other, rights.Right(security.READER, "topic", "*", "describe"))
        with at_work(lab, tmp_path, inventory(lab, {"*": {"must": MUST}}), (reached, reached)) as operator:
            close(lab, operator)
            assert until(lambda: other.uses() == REFUSED)
            others_lost_nothing(operator)


def close(lab: LabState, operator: Operator) -> None:
    """Walk it as it stands in the runbook, each step behind which a gate looks left out at first."""
    (operator.folder / "scram.properties").write_text(
        f"{SHA_512}=iterations=16384,password={security.password(lab, WRITES)}\n", "utf-8"
    )
    person = Forgetful()

    def moves_clients(_: Sequence[str]) -> None:
        moves(operator, lab, login(lab, READS), login(lab, WRITES))

    def takes_the_line_out(_: Sequence[str]) -> None:
        for broker in lab.brokers:
            restart_without(lab, broker.number, OPEN_BY_DEFAULT)

    def finds_out(commands: Sequence[str]) -> None:
        who_does_what(lab, operator, *commands)

    def gives_rights_to_the_reader(commands: Sequence[str]) -> None:
        operator.types({"NAME": READS, "TOPIC": TOPIC, "GROUP": GROUP})(commands[1:])
        rights.allow(lab, rights.documented(security.READER))

    def gives_rights(commands: Sequence[str]) -> None:
        operator.types({"NAME": WRITES, "TOPIC": TOPIC})(commands[:1])
        person.forgets(gives_rights_to_the_reader, f"User:{READS} Read Topic {TOPIC}")(commands)

    def takes_the_listener_away(_: Sequence[str]) -> None:
        security.required(lab)["opened"].clear()
        for broker in lab.brokers:
            restart_without(lab, broker.number, OPEN_BY_DEFAULT)

    hands = [
        *(does_nothing, does_nothing, operator.types({"NAME": WRITES}), does_nothing, moves_clients, does_nothing),
        person.forgets(operator.types(), "User:* All Topic *"),
        person.forgets(takes_the_line_out, "what-no-acl-names-is-refused"),
        *(finds_out, gives_rights),
        person.forgets(operator.types(), "everybody may All"),
        person.forgets(takes_the_listener_away, "OPEN"),
    ]
    person.walked = Walked(operator.folder, "security#close-an-open-cluster", lab.name)
    record = person.walked.by(hands, person.at_a_closed_gate)
    assert completed(record), record.entries[-3:]
    LOG.info("gates that stayed closed at first, and what they said: %s", person.seen)
    assert len(person.seen) == 5


def who_does_what(lab: LabState, operator: Operator, alter: str, grep: str) -> None:
    """Have the authorizers log every request, and find those of both applications in what is printed."""
    ids = [{"ID": str(broker.number)} for broker in lab.brokers]
    logs = " ".join(str(lab.log_of(broker)) for broker in lab.brokers)

    def both_are_seen() -> bool:
        operator.types()([grep.replace("/var/log/kafka/kafka-authorizer.log", logs)])
        seen = (f"User:{WRITES} is Allowed operation = WRITE", f"User:{READS} is Allowed operation = READ")
        return all(one in operator.told for one in seen)

    operator.types(*ids)([alter])
    wait_until(both_are_seen, "lines of both applications", within=WITHIN)
    operator.types(*ids)([alter.replace("DEBUG", "INFO")])


def test_an_authority_is_replaced_and_nobody_is_refused(lab: LabState, tmp_path: Path) -> None:
    trusted = tmp_path / "trusted.pem"
    shutil.copyfile(security.folder(lab) / "ca.crt", trusted)
    told = inventory(lab)
    told["environments"][lab.name]["kafka"]["ssl.ca.location"] = str(trusted)
    reads, writes = (login(lab, user) | {"ssl.ca.location": str(trusted)} for user in (READS, WRITES))
    with (
        with_users(lab, [WRITES, READS], of_applications()),
        at_work(lab, tmp_path, told, (reads, writes)) as operator,
    ):
        replace_the_authority(lab, operator, trusted, (reads, writes))
        others_lost_nothing(operator)


def replace_the_authority(
    lab: LabState, operator: Operator, trusted: Path, reach: tuple[Mapping[str, str], Mapping[str, str]]
) -> None:
    """Walk it as it stands in the runbook: trust both, exchange, drop."""
    folder = security.folder(lab)
    old, new, stores, words = folder / "ca.crt", folder / "next" / "ca.crt", *made_by_the_next(lab)
    both = old.read_bytes() + new.read_bytes()
    files = {"TRUSTSTORE": str(old), "NEXT_CA": str(new)}
    truststores = [
        files | {"ID": str(broker.number), "LISTENER": listener}
        for broker in lab.brokers
        for listener in ("mutual", "controller")
    ]
    keystores = [
        {"ID": number, "LISTENER": listener, "KEYSTORE": store}
        for number, of_listener in stores.items()
        for listener, store in of_listener.items()
    ]

    def clients_trust_both(_: Sequence[str]) -> None:
        trusted.write_bytes(both)
        moves(operator, lab, *reach)

    def drops_the_old_one(commands: Sequence[str]) -> None:
        trusted.write_bytes(new.read_bytes())
        moves(operator, lab, *reach)
        operator.types(files)(commands[:2])
        operator.types(*truststores)(commands[2:])
        assert old.read_bytes() == new.read_bytes()

    hands = [
        *(operator.types(files), operator.types(*truststores), clients_trust_both, operator.types(*keystores)),
        *(operator.types(*keystores), operator.types(*keystores), drops_the_old_one),
    ]
    record = Walked(operator.folder, "security#renew-certificates", lab.name, words=words).by(hands)
    assert completed(record), record.entries[-3:]
    for broker in lab.brokers:  # what was read without a restart is what a broker starts with
        security.restart(lab, broker.number)
    moves(operator, lab, *reach)


def made_by_the_next(lab: LabState) -> tuple[dict[str, dict[str, str]], dict[str, str]]:
    """Certificates of a new authority beside each store, of which listener it is; and their fingerprints as a word."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes

    folder = security.folder(lab)
    following = Authority(folder / "next", "the-next-authority")
    stores: dict[str, dict[str, str]] = {}
    prints = []
    for broker in lab.brokers:
        number = broker.number
        clients, brokers_ = f"clients-{number}", f"broker-{number}"
        for file, subject in ((clients, f"kafka-{number}"), (brokers_, f"broker-{number}")):
            following.issue(file, subject, names=security.NAMES)
            made = folder / "next" / file
            certificate = made.with_suffix(".crt").read_bytes()
            (folder / f"{file}.pem.new").write_bytes(made.with_suffix(".key").read_bytes() + certificate)
            prints.append(x509.load_pem_x509_certificate(certificate).fingerprint(hashes.SHA256()).hex())
        of_brokers = str(folder / f"{brokers_}.pem")
        stores[str(number)] = {
            "clients": str(folder / f"{clients}.pem"),
            "mutual": of_brokers,
            "controller": of_brokers,
        }
    return stores, {"FINGERPRINTS": ",".join(prints)}

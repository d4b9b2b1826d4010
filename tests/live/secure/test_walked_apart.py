"""security.md walked on a lab that it changes for good: an open cluster is closed, an authority is replaced."""

import copy
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
from runbook.procedure.walk_record import Record
from support.careful_walker import Hand, Walked
from support.evidence.labs import kafka_lab
from support.forgetful import Notes, Person, Walker, walkers
from support.kept_walks import Keep
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

pytestmark = [pytest.mark.live, pytest.mark.thorough, pytest.mark.timeout(1800)]  # minutes on an idle machine
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
    with kafka_lab("apart", tmp_path / "labs", ["security", "jmx"]) as started:
        create_topics(started, {TOPIC: (PARTITIONS, 3, SAFE), PARCELS: (1, 3, SAFE)})
        yield started


@contextmanager
def at_work(lab: LabState, folder: Path, environments: dict[str, Any], reach: tuple[Any, Any]) -> Iterator[Operator]:
    """An administrator with Kafka's tools, and applications that are reached so: the reader, the writer."""
    person = Operator(lab, folder)
    person.ledger = ledger = RefusalsToo()
    write_client_file(lab, folder / "admin.properties", ADMIN)
    (folder / "environments.yaml").write_text(json.dumps(environments), "utf-8")
    person.reader = LoggedInReader(ledger, lab, reach[0]).__enter__()
    person.writer = LoggedInWriter(ledger, lab, reach[1]).__enter__()
    try:
        wait_until(lambda: len(ledger.worked_on) > PARTITIONS, "numbered records to be read", within=WITHIN)
        yield person
    finally:
        person.stops()


def restart_without(lab: LabState, number: int, settings: Sequence[str]) -> None:
    """Restart a broker whose file has no line of these settings."""
    broker = lab.broker(number)
    terminate(broker.process, patience=8)
    write_configuration(lab, broker)
    file = properties_file(lab, broker)
    lines = [line for line in file.read_text("utf-8").splitlines() if line.partition("=")[0] not in settings]
    file.write_text("\n".join(lines) + "\n", "utf-8")
    brokers.start(lab, broker)
    wait_for_brokers(lab, within=180)
    wait_for_full_isr(lab, within=180)


PLAIN = {"inter.broker.listener.name": "PLAINTEXT", "authorizer.class.name": ""}
"""What a broker is configured with of which nobody has thought of security yet."""


def opened(lab: LabState) -> dict[str, str]:
    """Open the lab for everybody who reaches its port: no login, no ACL, no authorizer; gives how that is reached."""
    supers = [*(f"User:broker-{broker.number}" for broker in lab.brokers), "User:ANONYMOUS", f"User:{ADMIN}"]
    rights.disallow(lab, rights_signs.allowed(lab))
    assert rights_signs.all_acls(lab) == []
    ports = dict(zip((broker.number for broker in lab.brokers), free_ports(len(lab.brokers)), strict=True))
    for broker in lab.brokers:
        addresses = f"PLAINTEXT://{broker.address},OPEN://{security.HOST}:{ports[broker.number]}"
        security.required(lab)["opened"][str(broker.number)] = {"OPEN": ports[broker.number]}
        only_plain = {
            "listeners": f"{addresses},CONTROLLER://{security.HOST}:{broker.controller_port}",
            "advertised.listeners": addresses,
        }
        security.alter(
            lab, [broker.number], PLAIN | only_plain | {OPEN_BY_DEFAULT: "true", "super.users": ";".join(supers)}
        )
    return {"bootstrap.servers": ",".join(f"{security.HOST}:{port}" for port in ports.values())}


def without_security(environments: dict[str, Any], lab: LabState, reached: dict[str, str]) -> dict[str, Any]:
    """An inventory of before the walk: the tool comes in as everybody does."""
    before = copy.deepcopy(environments)
    before["environments"][lab.name]["kafka"] = reached
    return before


def with_the_authority(environments: dict[str, Any], lab: LabState) -> dict[str, Any]:
    """An inventory that names the authority to what looks at listeners from outside."""
    more = copy.deepcopy(environments)
    more["environments"][lab.name]["tls"] = {"ca": str(security.folder(lab) / "ca.crt")}
    return more


def closes_for_others(lab: LabState, other: HeldConnection, first: rights.Right) -> bool:
    """Whether an ACL for one principal refuses another one, which is let in again when it is taken back."""
    rights.allow(lab, [first])
    refused = until(lambda: other.uses() == REFUSED)
    rights.disallow(lab, [first])
    return refused and until(lambda: other.uses() == IN)


def test_the_first_acl_closes_what_it_reaches(lab: LabState) -> None:
    rights.add_user(lab, LEAKS, security.password(lab, LEAKS))
    rights.disallow(lab, rights_signs.allowed(lab))
    security.alter(lab, [broker.number for broker in lab.brokers], {OPEN_BY_DEFAULT: "true"})
    other = HeldConnection(lab, PARCELS, login(lab, LEAKS))
    assert closes_for_others(lab, other, rights.Right(WRITES, "topic", PARCELS, "write"))
    assert closes_for_others(lab, other, rights.Right(security.READER, "topic", "*", "describe"))


@pytest.mark.parametrize("walker", walkers((2, 5, 9, 10, 12, 13, 14), (1, 3, 6, 8), (4, 7, 11)))
def test_an_open_cluster_is_closed_and_nobody_who_is_meant_to_work_is_refused(
    lab: LabState, tmp_path: Path, walker: Walker, notes: Notes, keeps: Keep
) -> None:
    rights.add_user(lab, LEAKS, security.password(lab, LEAKS))
    reached, environments, person = opened(lab), inventory(lab, {"*": {"must": MUST}}), walker(lab)
    before = without_security(environments, lab, reached)
    with at_work(lab, tmp_path, before, (reached, reached)) as operator:
        (tmp_path / "admin.properties").write_text("security.protocol=PLAINTEXT", "utf-8")
        walked = Walked(tmp_path, "security#close-an-open-cluster", lab.name)
        hands = Closing(lab, operator, walked, (with_the_authority(before, lab), environments))
        record = person.walks(walked, hands.hands())
        notes(person.lines("security#close-an-open-cluster"))
        assert completed(record), record.entries[-3:]
        assert 11 in person.steps or until(lambda: hands.other is not None and hands.other.uses() == REFUSED)
        others_lost_nothing(operator)
        keeps(record, "secure, open at first", person.way, person.noticed, operator.ledger)


class Closing:
    """Hands for security#close-an-open-cluster, as it stands in the runbook."""

    def __init__(
        self, lab: LabState, operator: Operator, walked: Walked, inventories: Sequence[dict[str, Any]]
    ) -> None:
        """`inventories` take the place of the first one: when the authority is known, and when clients have moved."""
        self.lab = lab
        self.operator = operator
        self.walked = walked
        self.inventories = inventories
        self.other: HeldConnection | None = None  # of somebody who is not meant to work here, and could until the end
        self.old_ports = [str(ports["OPEN"]) for ports in security.required(lab)["opened"].values()]

    def hands(self) -> list[Hand]:
        """One for each step."""
        left_behind = self.operator.types(*({"OLD_PORT": port} for port in self.old_ports))

        def sees_that_nobody_is_left(commands: Sequence[str]) -> None:
            left_behind(commands)
            assert "127.0.0.1" not in self.operator.output, self.operator.output

        def takes_the_listener_away(commands: Sequence[str]) -> None:
            sees_that_nobody_is_left(commands)
            security.required(self.lab)["opened"].clear()
            self.restarts()

        return [
            *(
                lambda _: self.tells_the_tool(0),
                lambda _: self.restarts("listeners", "advertised.listeners"),
                self.makes_users,
            ),
            *(self.logs_in, lambda _: self.restarts("inter.broker.listener.name"), self.moves_clients),
            *(sees_that_nobody_is_left, lambda _: self.restarts("authorizer.class.name"), self.operator.types()),
            *(lambda _: self.restarts(OPEN_BY_DEFAULT), self.finds_out, self.gives_rights, self.operator.types()),
            takes_the_listener_away,
        ]

    def restarts(self, *without: str) -> None:
        """Restart brokers one by one, with no line of these settings of before."""
        for broker in self.lab.brokers:
            altered = security.required(self.lab)["altered"][str(broker.number)]
            for setting in without:
                altered.pop(setting, None)
            gone = [] if OPEN_BY_DEFAULT in altered else [OPEN_BY_DEFAULT]
            restart_without(self.lab, broker.number, gone)

    def makes_users(self, commands: Sequence[str]) -> None:
        """Those of an administrator, of both applications, and of the tool."""
        for user in (ADMIN, WRITES, READS, security.READER):
            secret = security.password(self.lab, user)
            (self.operator.folder / "scram.properties").write_text(f"{SHA_512}=iterations=16384,password={secret}\n")
            self.operator.types({"NAME": user})(commands)

    def logs_in(self, commands: Sequence[str]) -> None:
        """As both applications."""
        for user in (WRITES, READS):
            write_client_file(self.lab, self.operator.folder / "next-client.properties", user)
            self.operator.types({"NEW_ADDRESS": security.bootstrap(self.lab)})(commands)

    def moves_clients(self, _: Sequence[str]) -> None:
        """Both applications, and the tool."""
        moves(self.operator, self.lab, login(self.lab, READS), login(self.lab, WRITES))
        write_client_file(self.lab, self.operator.folder / "admin.properties", ADMIN)
        self.tells_the_tool(1)

    def tells_the_tool(self, number: int) -> None:
        """Write this inventory, and go on with it."""
        (self.operator.folder / "environments.yaml").write_text(json.dumps(self.inventories[number]), "utf-8")
        self.walked.pauses()

    def finds_out(self, commands: Sequence[str]) -> None:
        """Have the authorizers log every request, and find those of both applications in what is printed."""
        self.other = HeldConnection(self.lab, PARCELS, login(self.lab, LEAKS))
        alter, grep = commands
        ids = [{"ID": str(broker.number)} for broker in self.lab.brokers]
        logs = " ".join(str(self.lab.log_of(broker)) for broker in self.lab.brokers)

        def both_are_seen() -> bool:
            self.operator.types()([grep.replace("/var/log/kafka/kafka-authorizer.log", logs)])
            seen = (f"User:{WRITES} is Allowed operation = WRITE", f"User:{READS} is Allowed operation = READ")
            return all(text in self.operator.output for text in seen)

        self.operator.types(*ids)([alter])
        wait_until(both_are_seen, "lines of both applications", within=WITHIN)
        self.operator.types(*ids)([alter.replace("DEBUG", "INFO")])

    def gives_rights(self, commands: Sequence[str]) -> None:
        """To both applications, and to the tool."""
        self.operator.types({"NAME": WRITES, "TOPIC": TOPIC})(commands[:1])
        self.operator.types({"NAME": READS, "TOPIC": TOPIC, "GROUP": GROUP})(commands[1:])
        rights.allow(self.lab, rights.documented(security.READER))


@pytest.mark.parametrize("walker", walkers((1,), (2,), (5,), (6,), (3, 7), (4,), once=(4, 5)))
def test_an_authority_is_replaced_and_nobody_is_refused(
    lab: LabState, tmp_path: Path, walker: Walker, notes: Notes, keeps: Keep
) -> None:
    trusted = tmp_path / "trusted.pem"
    shutil.copyfile(security.folder(lab) / "ca.crt", trusted)
    environments = inventory(lab)
    environments["environments"][lab.name]["kafka"]["ssl.ca.location"] = str(trusted)
    reads, writes = (login(lab, user) | {"ssl.ca.location": str(trusted)} for user in (READS, WRITES))
    with (
        with_users(lab, [WRITES, READS], of_applications()),
        at_work(lab, tmp_path, environments, (reads, writes)) as operator,
    ):
        person = walker(lab)
        record = replace_the_authority(lab, operator, person, trusted, (reads, writes))
        notes(person.lines("security#renew-certificates"))
        others_lost_nothing(operator, refused=3 in person.noticed)  # clients that do not trust the new one: its risk
        keeps(record, "secure", person.way, person.noticed, operator.ledger)


def restart_each(lab: LabState) -> None:
    """As its text says: what a node connects to the controllers with reads its stores when it starts."""
    for broker in lab.brokers:
        security.restart(lab, broker.number)


def replace_the_authority(
    lab: LabState,
    operator: Operator,
    person: Person,
    trusted: Path,
    reach: tuple[Mapping[str, str], Mapping[str, str]],
) -> Record:
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

    names = sorted({str(keystore["KEYSTORE"]) for keystore in keystores})

    def brokers_trust_both(commands: Sequence[str]) -> None:
        for name in names:  # a broker that has refused the new one reads the truststore beside the old one alone
            if Path(f"{name}.old").exists():
                Path(name).replace(f"{name}.new")
                shutil.copyfile(f"{name}.old", name)
        operator.types(*truststores)(commands)
        restart_each(lab)

    def brokers_read_certificates(commands: Sequence[str]) -> None:
        for name in names:
            if Path(f"{name}.old").exists() and Path(f"{name}.new").exists():
                Path(f"{name}.new").replace(name)
        operator.types(*keystores)(commands)
        restart_each(lab)

    hands = [
        *(operator.types(files), brokers_trust_both, clients_trust_both, operator.types(*keystores)),
        *(operator.types(*({"KEYSTORE": name} for name in names)), brokers_read_certificates, drops_the_old_one),
    ]
    record = person.walks(Walked(operator.folder, "security#renew-certificates", lab.name, words=words), hands)
    assert completed(record), record.entries[-3:]
    restart_each(lab)  # what was read without one is what a broker starts with
    moves(operator, lab, *reach)
    return record


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
            following.issue(file, subject, names=security.NAMES, held=0)
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

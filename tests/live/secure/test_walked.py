"""security.md walked on a real lab under load, by its own text: who is to be shut out is, and nobody else."""

import json
import logging
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pytest

from kafka_lab import LabState, security
from kafka_lab.content import create_topics, delete_topics
from kafka_lab.rights import Right, disallow
from kafka_lab.waiting import wait_until
from support.careful_walker import Hand, Walked, does_nothing
from support.evidence.labs import Labs
from support.forgetful import Notes, Walker, walkers
from support.kept_walks import Keep
from support.lost_records import told_of_lost
from support.numbered_records import GROUP, PARTITIONS, TOPIC, settled
from support.operators import Operator, completed
from support.security.counted import LoggedInReader, LoggedInWriter, RefusalsToo
from support.security.guarded import as_it_is, inventory
from support.security.logins import (
    ADMIN,
    BOTH,
    IN,
    READS,
    REFUSED,
    SHA_256,
    SHA_512,
    WRITES,
    HeldConnection,
    knock,
    login,
    of_applications,
    set_password,
    with_users,
    write_client_file,
)
from support.until import until

pytestmark = pytest.mark.live
LOG = logging.getLogger(__name__)
LEAKS = "courier"
PARCELS = "parcels"
SAFE = {"min.insync.replicas": "2"}
WITHIN = 240.0


@pytest.fixture
def lab(running: Labs) -> Iterator[LabState]:
    """A lab with logins and the topics of these tests; in the end its brokers are configured as before."""
    now = as_it_is(running.of("secure"))
    create_topics(now, {TOPIC: (PARTITIONS, 3, SAFE), PARCELS: (1, 3, SAFE)})
    try:
        yield now
    finally:
        security.restore(now)
        delete_topics(now, [TOPIC, PARCELS])


@pytest.fixture
def operator(lab: LabState, tmp_path: Path) -> Iterator[Operator]:
    """An administrator with Kafka's tools, while other users write and read numbered records."""
    allowed = [*of_applications(), *(Right(LEAKS, "topic", PARCELS, operation) for operation in ("write", "describe"))]
    with with_users(lab, [WRITES, READS, LEAKS], allowed):
        person = Operator(lab, tmp_path)
        person.ledger = ledger = RefusalsToo()
        write_client_file(lab, tmp_path / "admin.properties", ADMIN)
        (tmp_path / "environments.yaml").write_text(json.dumps(inventory(lab)), "utf-8")
        person.reader = LoggedInReader(ledger, lab, login(lab, READS)).__enter__()
        person.writer = LoggedInWriter(ledger, lab, login(lab, WRITES)).__enter__()
        wait_until(lambda: len(ledger.worked_on) > PARTITIONS, "numbered records to be read", within=WITHIN)
        try:
            yield person
        finally:
            person.stops()


def moves(operator: Operator, lab: LabState, reads: Mapping[str, str], writes: Mapping[str, str] | None = None) -> None:
    """A deployment of the applications, instance by instance: the new one is there before the old one ends."""
    assert isinstance(operator.ledger, RefusalsToo)
    assert operator.reader is not None
    assert operator.writer is not None
    begun = len(operator.ledger.worked_on)
    reader = LoggedInReader(operator.ledger, lab, reads).__enter__()
    operator.reader.stop()
    operator.reader = reader
    if writes is not None:
        writer = LoggedInWriter(operator.ledger, lab, writes).__enter__()
        operator.writer.stop()
        operator.writer = writer
    wait_until(lambda: len(operator.ledger.worked_on) > begun + 100, "the new reader to read", within=WITHIN)


def others_lost_nothing(operator: Operator, *, refused: bool = False) -> None:
    """Every acknowledged record was worked on, and no application was ever refused, if none was to be."""
    assert operator.writer is not None
    assert operator.writer.goes_on()
    operator.writer.stop()
    settled(operator.ledger, 30)
    ledger = operator.ledger
    assert isinstance(ledger, RefusalsToo)
    LOG.info("%s acknowledged, %s lost, refused %s", len(ledger.acknowledged), len(ledger.lost), ledger.refusals)
    assert len(ledger.acknowledged) > 1000
    assert not ledger.lost, told_of_lost(ledger)
    assert refused or ledger.refusals == []


class Tried:
    """What the leaked password is good for, tried after each step at the broker that knows both mechanisms."""

    def __init__(self, lab: LabState, password: str) -> None:
        self.lab = lab
        self.password = password
        self.thief = HeldConnection(lab, PARCELS, login(lab, LEAKS, password))
        self.found: list[tuple[str, str, str]] = []

    def now(self) -> tuple[str, str, str]:
        """By SCRAM-SHA-512, by SCRAM-SHA-256, and by the connection that was there before."""
        by_512, by_256 = (
            knock(self.lab, 1, login(self.lab, LEAKS, self.password, mechanism)) for mechanism in (SHA_512, SHA_256)
        )
        return by_512, by_256, self.thief.uses()

    def after(self, hand: Hand, meant: tuple[str, str, str] | None) -> Hand:
        """A hand that tries it when its step is done, for a while until it is as it is meant to be."""

        def acts(commands: Sequence[str]) -> None:
            hand(commands)
            if meant is not None:
                until(lambda: self.now() == meant)  # brokers hear of a change a moment later
            self.found.append(self.now())

        return acts


@pytest.mark.parametrize("walker", walkers((1, 3, 4, 6, 9), (2, 5, 7, 8), once=(4,)))
def test_a_leaked_password_is_refused_by_every_mechanism_and_nobody_else_is(
    lab: LabState, operator: Operator, walker: Walker, notes: Notes, keeps: Keep
) -> None:
    security.alter(lab, [1], BOTH)
    leaked, new = security.password(lab, LEAKS), "made-up-and-new"
    set_password(lab, LEAKS, leaked, SHA_256)
    folder = operator.folder
    for mechanism, number in ((SHA_512, "512"), (SHA_256, "256")):
        write_client_file(lab, folder / f"leaked-{number}.properties", LEAKS, leaked, mechanism)
        (folder / f"scram-{number}.properties").write_text(f"{mechanism}=iterations=8193,password={new}\n", "utf-8")
    tried = Tried(lab, leaked)
    brokers = [{"ID": str(broker.number)} for broker in lab.brokers]

    def changes_the_password(commands: Sequence[str]) -> None:
        first, second, date = commands
        operator.types()([first])
        assert until(lambda: tried.now()[:2] == (REFUSED, IN))  # brokers hear of it a moment later
        operator.types()([second, date])
        walked.pauses({"SINCE": operator.output.strip()})

    def restarts_brokers(_: Sequence[str]) -> None:
        for broker in lab.brokers:
            security.restart(lab, broker.number)

    def takes_the_deny_away(commands: Sequence[str]) -> None:
        operator.types()(commands)
        application = HeldConnection(lab, PARCELS, login(lab, LEAKS, new))
        assert application.uses() == IN

    hands = [
        *(operator.types(), operator.types(*brokers), operator.types(), changes_the_password, operator.types()),
        *(restarts_brokers, does_nothing, takes_the_deny_away, operator.types(*brokers)),
    ]
    words = {"NAME": LEAKS, "ITERATIONS": "8193"}
    person = walker(lab)
    right = person.way == "right"
    walked = Walked(folder, "security#a-credential-has-leaked", lab.name, words=words)
    shut_out = (REFUSED, REFUSED, REFUSED)
    meant = [(IN, IN, IN), (IN, IN, IN), (IN, IN, REFUSED), *[shut_out] * 6]
    record = person.walks(
        walked, [tried.after(hand, then if right else None) for hand, then in zip(hands, meant, strict=True)]
    )
    notes(person.lines("security#a-credential-has-leaked"))
    LOG.info("by SCRAM-SHA-512, by SCRAM-SHA-256, by the connection from before: %s", tried.found)
    assert completed(record), record.entries[-3:]
    assert tried.now() == shut_out
    assert not right or tried.found == meant
    # Looks, and a Deny for when data is leaving; the restarts of 6 do what 9 does.
    others_lost_nothing(operator)
    keeps(record, "secure", person.way, person.noticed, operator.ledger)


def logged_since(lab: LabState, places: Mapping[int, int]) -> str:
    """What brokers have logged since their logs were of these sizes."""
    return "".join(
        lab.log_of(lab.broker(number)).read_bytes()[place:].decode("utf-8", "replace")
        for number, place in places.items()
    )


@pytest.mark.thorough
@pytest.mark.parametrize("walker", walkers((1, 3, 7, 8), (2,), (4,), (5,), (6,)))
def test_a_second_user_takes_over_and_nobody_is_refused(
    lab: LabState, operator: Operator, walker: Walker, notes: Notes, keeps: Keep
) -> None:
    folder, old = operator.folder, login(lab, READS)
    next_user = f"desk-{folder.name.rpartition('_')[2]}"  # one for each walk: no user is ever removed
    new = login(lab, next_user, security.password(lab, next_user))
    write_client_file(lab, folder / "next-client.properties", next_user)
    (folder / "next.properties").write_text(f"{SHA_512}=iterations=16384,password={new['sasl.password']}\n", "utf-8")
    (folder / "scram-512.properties").write_text(f"{SHA_512}=iterations=8193,password=nobody-keeps-it\n", "utf-8")
    brokers = [{"ID": str(broker.number)} for broker in lab.brokers]

    def sees_that_nobody_is_left(commands: Sequence[str]) -> None:
        operator.types(*brokers)(commands)
        logs = {broker.number: lab.log_of(broker).stat().st_size for broker in lab.brokers}
        wait_until(
            lambda: f"User:{next_user} is Allowed" in logged_since(lab, logs), "lines of the next user", within=WITHIN
        )
        assert f"User:{READS} is" not in logged_since(lab, logs)
        operator.types(*brokers)([command.replace("DEBUG", "INFO") for command in commands])

    def moves_clients(_: Sequence[str]) -> None:
        moves(operator, lab, new)

    def takes_rights_away(commands: Sequence[str]) -> None:
        assert knock(lab, 1, old) == IN
        operator.types()(commands)

    words = {"NAME": READS, "NEXT_NAME": next_user, "ITERATIONS": "8193", "TOPIC": TOPIC, "GROUP": GROUP}
    try:
        person = walker(lab)
        record = person.walks(
            Walked(folder, "security#rotate-a-password", lab.name, words=words),
            [
                *(operator.types(), operator.types(), operator.types(), operator.types(), moves_clients),
                *(sees_that_nobody_is_left, takes_rights_away, operator.types()),
            ],
        )
        notes(person.lines("security#rotate-a-password"))
        assert completed(record), record.entries[-3:]
        assert (knock(lab, 1, old), knock(lab, 1, new)) == (REFUSED, IN)
        others_lost_nothing(operator)
        keeps(record, "secure", person.way, person.noticed, operator.ledger)
    finally:
        disallow(
            lab, [application for application in of_applications(reads=next_user) if application.user == next_user]
        )


@pytest.mark.thorough
@pytest.mark.parametrize("walker", walkers((1, 2, 5), (3,), (4,)))
def test_the_other_mechanism_takes_over_and_nobody_is_refused(
    lab: LabState, operator: Operator, walker: Walker, notes: Notes, keeps: Keep
) -> None:
    security.alter(lab, [broker.number for broker in lab.brokers], BOTH)
    folder, old, fresh = operator.folder, login(lab, READS), "made-up-and-new"
    new = login(lab, READS, fresh, SHA_256)
    write_client_file(lab, folder / "next-client.properties", READS, fresh, SHA_256)
    for mechanism, number in ((SHA_512, "512"), (SHA_256, "256")):
        (folder / f"scram-{number}.properties").write_text(f"{mechanism}=iterations=8193,password={fresh}\n", "utf-8")

    def moves_clients(_: Sequence[str]) -> None:
        moves(operator, lab, new)
        assert knock(lab, 1, old) == IN

    hands = [operator.types(), operator.types(), operator.types(), moves_clients, operator.types()]
    words = {"NAME": READS, "ITERATIONS": "8193"}
    person = walker(lab)
    walked = Walked(folder, "security#rotate-a-password-by-the-other-mechanism", lab.name, words=words)
    record = person.walks(walked, hands)
    notes(person.lines("security#rotate-a-password-by-the-other-mechanism"))
    assert completed(record), record.entries[-3:]
    assert (knock(lab, 1, old), knock(lab, 1, new)) == (REFUSED, IN)
    assert knock(lab, 1, login(lab, READS, security.password(lab, READS), SHA_256)) == REFUSED
    others_lost_nothing(operator)
    keeps(record, "secure", person.way, person.noticed, operator.ledger)

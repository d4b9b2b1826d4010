"""A principal's rights proved, and a certificate made and looked at: walked on a guarded lab by their own text."""

import json
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import pytest

from kafka_lab import LabState, security
from kafka_lab.admin import partitions
from kafka_lab.content import delete_topics
from kafka_lab.rights import Right
from kafka_lab.rights_signs import allowed
from support.careful_walker import Hand, Walked, does_nothing
from support.evidence.labs import Labs
from support.forgetful import Forgetful, Notes, wrong
from support.kept_walks import Keep
from support.operators import Operator, completed
from support.security import rights
from support.security.guarded import as_it_is, inventory
from support.security.logins import ADMIN, with_users, write_client_file

pytestmark = [pytest.mark.live, pytest.mark.thorough]
SERVICE: Final = "billing"
PROBED: Final = f"probe.{SERVICE}"
DECLARED: Final = [line for line in rights.declared() if "User:till " not in line]
"""What a lab has; it has nobody with a right from one address."""
OF_ADMIN: Final = [f"Allow User:{ADMIN} * All {resource} Literal" for resource in ("Cluster kafka-cluster", "Topic *")]


@pytest.fixture
def lab(running: Labs) -> Iterator[LabState]:
    """A lab with logins; in the end its brokers are configured as before."""
    now = as_it_is(running.of("secure"))
    try:
        yield now
    finally:
        security.restore(now)
        delete_topics(now, [topic for topic in (PROBED, "probe.refused") if topic in partitions(now)])


@pytest.fixture
def operator(lab: LabState, tmp_path: Path) -> Iterator[Operator]:
    """An administrator with Kafka's tools, and a service that has a login and no rights."""
    with with_users(lab, [SERVICE], [Right(ADMIN, "topic", "*", "all")]):
        write_client_file(lab, tmp_path / "admin.properties", ADMIN)
        write_client_file(lab, tmp_path / "client.properties", SERVICE)
        said = inventory(lab, {"acls-are-those-declared": {"declared": [*DECLARED, *OF_ADMIN]}})
        (tmp_path / "environments.yaml").write_text(json.dumps(said), "utf-8")
        yield Operator(lab, tmp_path)


def signs(folder: Path) -> None:
    """What the authority does with a request: its certificate is ca.pem."""
    key = "-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes"
    for command in (
        f"openssl req -x509 {key} -keyout ca.key -out ca.pem -days 30 -subj /CN=authority",
        "openssl x509 -req -in broker-1.csr -CA ca.pem -CAkey ca.key -days 30 -copy_extensions copy -out broker-1.pem",
    ):
        subprocess.run(command.split(), cwd=folder, check=True, capture_output=True, timeout=800)


def refused(operator: Operator) -> Hand:
    """The hand of a step whose commands must be refused."""

    def types(commands: Sequence[str]) -> None:
        with pytest.raises(AssertionError, match=r"AuthorizationException|UNKNOWN_TOPIC_OR_PARTITION"):
            operator.types()(commands)

    return types


@pytest.mark.parametrize("left_out", wrong((4,), (7,)))
def test_a_principal_may_do_what_it_should_and_nothing_else(
    lab: LabState, operator: Operator, left_out: Sequence[int], notes: Notes, keeps: Keep
) -> None:
    before = allowed(lab)

    def gives_rights(commands: Sequence[str]) -> None:
        operator.types()([command.replace("192.0.2.1", security.HOST) for command in commands])

    def reads(commands: Sequence[str]) -> None:
        operator.types()(commands)
        assert "probe" in operator.output.splitlines()

    person = Forgetful(left_out)
    record = person.walks(
        Walked(operator.folder, "security#prove-that-rights-hold", lab.name),
        [
            *(operator.types(), refused(operator), refused(operator), gives_rights),
            *(operator.types(), reads, operator.types()),
        ],
    )
    notes(person.lines("security#prove-that-rights-hold"))
    assert completed(record), record.entries[-3:]
    assert allowed(lab) == before
    assert PROBED not in partitions(lab)
    keeps(record, "secure", person.way, person.noticed)


@pytest.mark.parametrize("left_out", wrong((2,)))
def test_a_certificate_is_made_laid_out_and_looked_at(
    lab: LabState, operator: Operator, tmp_path: Path, left_out: Sequence[int], notes: Notes, keeps: Keep
) -> None:
    folder = operator.folder

    def asks_and_has_it_signed(commands: Sequence[str]) -> None:
        operator.types()(commands)
        signs(folder)

    def lays_out(commands: Sequence[str]) -> None:
        [command] = commands
        place = command.rpartition(" ")[2]
        mine = command.replace("-o kafka ", "").replace(place, str(tmp_path / "keystore.pem"))
        operator.types()([mine])
        assert (tmp_path / "keystore.pem").stat().st_mode & 0o777 == 0o400

    def looks(commands: Sequence[str]) -> None:
        operator.types()(commands)
        assert "DNS:kafka-1.example, DNS:kafka.example" in operator.output

    person = Forgetful(left_out)
    record = person.walks(
        Walked(folder, "security#issue-certificates", lab.name),
        [does_nothing, asks_and_has_it_signed, lays_out, looks, does_nothing, does_nothing],
    )
    notes(person.lines("security#issue-certificates"))
    assert completed(record), record.entries[-3:]
    keeps(record, "secure", person.way, person.noticed)

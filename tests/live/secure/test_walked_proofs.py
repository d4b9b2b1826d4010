"""A certificate that is made, laid out and looked at: security.md walked beside a guarded lab, by its own text."""

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from kafka_lab import LabState
from support.careful_walker import Walked, does_nothing
from support.evidence.labs import Labs
from support.forgetful import Forgetful, Notes, wrong
from support.kept_walks import Keep
from support.operators import Operator, completed
from support.security.guarded import as_it_is, inventory

pytestmark = [pytest.mark.live, pytest.mark.thorough]


@pytest.fixture
def lab(running: Labs) -> LabState:
    """A lab with logins; nothing of it is changed."""
    return as_it_is(running.of("secure"))


@pytest.fixture
def operator(lab: LabState, tmp_path: Path) -> Operator:
    """Somebody with the lab's inventory."""
    (tmp_path / "environments.yaml").write_text(json.dumps(inventory(lab)), "utf-8")
    return Operator(lab, tmp_path)


def signs(folder: Path) -> None:
    """What the authority does with a request: its certificate is ca.pem."""
    key = "-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes"
    for command in (
        f"openssl req -x509 {key} -keyout ca.key -out ca.pem -days 30 -subj /CN=authority",
        "openssl x509 -req -in broker-1.csr -CA ca.pem -CAkey ca.key -days 30 -copy_extensions copy -out broker-1.pem",
    ):
        subprocess.run(command.split(), cwd=folder, check=True, capture_output=True, timeout=60)


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
    assert person.unnoticed == []
    keeps(record, "secure", person.way, person.noticed)

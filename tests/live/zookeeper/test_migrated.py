"""A cluster in ZooKeeper mode that goes to KRaft, or back, by the text of ha.md, under load, every record counted."""

import re
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from kafka_lab import LabState, processes, zookeeper
from kafka_lab.admin import partitions
from kafka_lab.processes import terminate
from kafka_lab.waiting import wait_for_full_isr, wait_until
from runbook.procedure.walk_record import Record
from support.careful_walker import Careful, Hand, Walked, does_nothing, types
from support.evidence.labs import kafka_lab
from support.forgetful import Notes, Person, Walker, walkers
from support.kept_walks import Keep
from support.migration import Migration
from support.numbered_records import TOPIC
from support.operators import Operator, completed, under_load, with_numbered_topic
from support.rolling import Roll

pytestmark = [pytest.mark.live, pytest.mark.thorough, pytest.mark.timeout(3600)]  # minutes on an idle machine
WITHIN = 180.0  # seconds; a busy machine takes its time
MANY = 8  # elections of KRaft's controllers; a young ensemble has seen two or three


@pytest.fixture
def lab(tmp_path: Path) -> Iterator[LabState]:
    """A lab of its own: what is done to it has no way back."""
    with kafka_lab("migrating", tmp_path / "labs", ["zookeeper"]) as started:
        yield with_numbered_topic(started)


@pytest.fixture
def migration(lab: LabState, tmp_path: Path) -> Iterator[Migration]:
    """What is to be written and started on the way; no process of it is left."""
    prepared = Migration(lab, tmp_path)
    try:
        yield prepared
    finally:
        prepared.stop_controllers(patience=0)


@pytest.fixture
def operator(lab: LabState, migration: Migration, tmp_path: Path) -> Iterator[Operator]:
    """Somebody at the lab, where numbered records are written and read."""
    person = Operator(lab, tmp_path)
    shutil.copy(Path(lab.folder, "environments.yaml"), tmp_path)
    migration.tools(person.path)
    with under_load(person, lab, WITHIN):
        yield person


def provisions(operator: Operator, migration: Migration) -> Hand:
    """The hand that formats each controller in a folder of its own."""

    def formats(commands: Sequence[str]) -> None:
        migration.write_controllers(migrating=True)
        for controller in migration.controllers:
            types(controller.folder, operator.path, {"VOTERS": migration.voters})(commands)

    return formats


def starts_controllers(operator: Operator, migration: Migration) -> Hand:
    """The hand that starts them, and sees that one leads."""

    def starts(commands: Sequence[str]) -> None:
        for controller in migration.controllers:
            migration.start_controller(controller)
        wait_until(lambda: migration.leader(operator.path) is not None, "a controller to lead", within=WITHIN)
        operator.types({"CONTROLLER:PORT": migration.addresses})(commands)
        assert "LeaderId:" in operator.output

    return starts


def waits_for(migration: Migration) -> Hand:
    """The hand that waits until the controllers have ZooKeeper's metadata."""

    def waits(_: Sequence[str]) -> None:
        wait_until(migration.is_done, "the controllers to have all metadata", within=WITHIN)

    return waits


def migrate(
    operator: Operator,
    lab: LabState,
    migration: Migration,
    *more: Hand,
    person: Careful | Person | None = None,
    starts: Hand | None = None,
) -> Record:
    """Walk ha#migrate-to-kraft as it stands in the runbook, from step 6 on with these hands; `starts` is of step 3."""
    return (person or Careful()).walks(
        Walked(operator.folder, "ha#migrate-to-kraft", lab.name),
        [
            *(operator.types(), provisions(operator, migration), starts or starts_controllers(operator, migration)),
            *(Roll(operator, lab, migration.in_migration_mode), waits_for(migration)),
            *more,
        ],
    )


def to_the_end(operator: Operator, lab: LabState, migration: Migration) -> list[Hand]:
    """The hands of who goes past the point of no return."""

    def finalises(commands: Sequence[str]) -> None:
        migration.write_controllers(migrating=False)
        migration.restart_controllers(operator.path)
        operator.types()(commands)

    def retires(commands: Sequence[str]) -> None:
        for server in zookeeper.servers_of(lab):
            terminate(server.process, patience=5)
        operator.types()(commands)

    return [Roll(operator, lab, migration.in_kraft), does_nothing, finalises, retires]


@pytest.mark.parametrize("walker", walkers((2, 6), (4,), (1, 3, 7, 9), (5, 8), once=(2,)))
def test_a_cluster_goes_to_kraft_under_load(
    operator: Operator, lab: LabState, migration: Migration, walker: Walker, keeps: Keep
) -> None:
    person = walker(lab)
    record = migrate(operator, lab, migration, *to_the_end(operator, lab, migration), person=person)
    assert completed(record), record.entries[-3:]
    stopped = {processes.condition(server.process) == "stopped" for server in zookeeper.servers_of(lab)}
    assert stopped == {9 not in person.noticed}  # the last step: nobody does it belatedly
    wait_for_full_isr(lab)
    assert {len(partition.replicas) for partition in partitions(lab)[TOPIC].values()} == {3}
    operator.counts()
    keeps(record, "zookeeper", person.way, person.noticed, operator.ledger)


class GivenUpError(Exception):
    """Somebody wants the way back, in the midst of the walk."""


def gives_up(_: Sequence[str]) -> None:
    """The hand of who does not go on."""
    raise GivenUpError


def after_elections(operator: Operator, migration: Migration) -> Hand:
    """The hand that starts controllers, which then elect many times: their epoch is greater than ZooKeeper's."""

    def starts(commands: Sequence[str]) -> None:
        starts_controllers(operator, migration)(commands)
        migration.elects_until(operator.path, MANY)

    return starts


def back_again(operator: Operator, lab: LabState, migration: Migration, epochs: list[int]) -> list[Hand]:
    """The hands for ha#go-back-to-zookeeper as it stands in the runbook.

    Args:
        operator: who walks.
        lab: the lab.
        migration: what was done to it.
        epochs: gets those of the controllers' quorum and of ZooKeeper before a broker takes over.
    """

    def looks(commands: Sequence[str]) -> None:
        types(migration.controllers[0].folder, operator.path)(commands)

    def stops_controllers(_: Sequence[str]) -> None:
        migration.stop_controllers(patience=60)

    def takes_over(commands: Sequence[str]) -> None:
        place = zookeeper.servers_of(lab)[0].address + zookeeper.chroot(lab)
        for node, told in {"/migration": r'"kraft_controller_epoch":(\d+)', "/controller_epoch": r"^(\d+)$"}.items():
            operator.types()([f"zookeeper-shell.sh {place} get {node}"])
            epochs.extend(map(int, re.findall(told, operator.output, re.MULTILINE)))
        operator.types({"CONTROLLER:PORT": migration.addresses})(commands)

    def leaves(_: Sequence[str]) -> None:
        Roll(operator, lab, migration.in_zookeeper_mode)(())
        for controller in migration.controllers:
            shutil.rmtree(controller.folder / "data", ignore_errors=True)

    return [looks, Roll(operator, lab, migration.in_migration_mode), stops_controllers, takes_over, leaves]


@pytest.mark.parametrize("walker", walkers((1, 3, 5), (2, 4)))
def test_a_cluster_goes_back_to_zookeeper_under_load(
    operator: Operator, lab: LabState, migration: Migration, walker: Walker, notes: Notes, keeps: Keep
) -> None:
    to_kraft: list[Hand] = [Roll(operator, lab, migration.in_kraft), gives_up, does_nothing, does_nothing]
    with pytest.raises(GivenUpError):
        migrate(operator, lab, migration, *to_kraft, starts=after_elections(operator, migration))
    person, epochs = walker(lab), list[int]()
    record = person.walks(
        Walked(operator.folder, "ha#go-back-to-zookeeper", lab.name), back_again(operator, lab, migration, epochs)
    )
    notes(person.lines("ha#go-back-to-zookeeper"))
    assert completed(record), record.entries[-3:]
    assert epochs[0] > epochs[1] + 1  # one controller more would not have done
    wait_for_full_isr(lab)
    assert {len(partition.replicas) for partition in partitions(lab)[TOPIC].values()} == {3}
    operator.counts()
    keeps(record, "zookeeper", person.way, person.noticed, operator.ledger)

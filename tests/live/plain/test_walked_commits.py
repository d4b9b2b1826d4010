"""An application that commits what it has done, killed in mid-batch: walked by the text of consumers.md."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import pytest
import yaml

from kafka_lab import LabState
from kafka_lab.waiting import wait_until
from support.careful_walker import Walked, does_nothing
from support.committing_application import BATCH, CommittingApplication
from support.forgetful import Forgetful, Notes, wrong
from support.given_connections import give
from support.kept_walks import Keep
from support.numbered_records import PARTITIONS, TOPIC
from support.operators import Operator, at_work, completed
from support.two_sites_move import forget, positions

pytestmark = [pytest.mark.live, pytest.mark.thorough]
GROUP: Final = "billing"
DECLARED: Final = "billing:enable.auto.commit=false"
WITHIN: Final = 240.0  # seconds on a busy machine


@pytest.fixture
def operator(healthy_lab: LabState, tmp_path: Path) -> Iterator[Operator]:
    """Somebody at the lab, where numbered records are written, with the file of an application."""
    with at_work(healthy_lab, tmp_path) as one:
        (tmp_path / "consumer.properties").write_text(f"group.id={GROUP}\nauto.offset.reset=earliest\n", "utf-8")
        says(one, [])
        yield one
        forget(healthy_lab, GROUP)


def says(operator: Operator, declared: list[str]) -> None:
    """Have the inventory name the application's file, and what is declared of it."""
    file = operator.folder / "environments.yaml"
    document: dict[str, Any] = yaml.safe_load(file.read_text("utf-8"))
    [environment] = document["environments"].values()
    client = {"name": GROUP, "kind": "consumer", "path": str(operator.folder / "consumer.properties")}
    give(environment, files={"clients": [client]})
    environment["params"] = {"consumers/settings-are-as-declared": {"declared": declared}}
    file.write_text(yaml.safe_dump(document), "utf-8")


@pytest.mark.parametrize("left_out", wrong((1,)))
def test_what_is_committed_is_what_is_done(
    operator: Operator, healthy_lab: LabState, left_out: Sequence[int], notes: Notes, keeps: Keep
) -> None:
    lab, folder = healthy_lab, operator.folder
    application = CommittingApplication(lab, folder / "consumer.properties", GROUP, TOPIC, folder / "done")

    def kills(_: Sequence[str]) -> None:
        with application:
            wait_until(
                lambda: len(application.done()) == PARTITIONS and sum(application.done().values()) > 3 * BATCH,
                "it to work",
                within=WITHIN,
            )
            application.is_killed()
        committed, done = positions(lab, GROUP, TOPIC), application.done()
        assert all(committed[partition] <= done[partition] + 1 for partition in done)

    def deploys(_: Sequence[str]) -> None:
        says(operator, [DECLARED])

    person = Forgetful(left_out)
    record = person.walks(
        Walked(folder, "consumers#commit-what-is-done", lab.name),
        [operator.types(), *[does_nothing] * 4, kills, deploys],
    )
    notes(person.lines("consumers#commit-what-is-done"))
    assert completed(record), record.entries[-3:]
    with application:
        wait_until(lambda: len(application.worked_on()) > 0, "it to work again", within=WITHIN)
        operator.counts()
        acknowledged = operator.ledger.acknowledged.keys()
        wait_until(lambda: application.worked_on().keys() >= acknowledged, "it to work on all of them", within=WITHIN)
    doubled = {number for number, times in application.worked_on().items() if times > 1}
    assert len(doubled) <= BATCH  # what was done since the last commit
    keeps(record, "plain", person.way, person.noticed, operator.ledger)

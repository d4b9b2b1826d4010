"""A cluster of an older release that goes to the newest, by the text of ha.md, under load, every record counted."""

import re
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

import kafka_lab as labs
from kafka_lab import LabState
from kafka_lab.jars import KAFKA_VERSION, kafka_jars
from kafka_lab.parts.zookeeper import RELEASE
from runbook.folders import cache_folder
from support.careful_walker import Hand, Walked, does_nothing
from support.forgetful import Notes, Walker, walkers
from support.kept_walks import Keep
from support.operators import Operator, completed, under_load, with_numbered_topic
from support.rolling import Roll

pytestmark = [pytest.mark.live, pytest.mark.thorough]
WITHIN = 180.0  # seconds; a busy machine takes its time
NEWEST = KAFKA_VERSION.rpartition(".")[0]


@pytest.fixture
def lab(tmp_path: Path) -> Iterator[LabState]:
    """A lab of its own, of the release before Kafka 4, in KRaft mode: there is no way back from the newest."""
    home = tmp_path / "labs"
    try:
        started = labs.up("upgraded", home=home, progress=lambda _: None, release=RELEASE)
        yield with_numbered_topic(started)
    finally:
        labs.down("upgraded", home=home)


@pytest.fixture
def operator(lab: LabState, tmp_path: Path) -> Iterator[Operator]:
    """Somebody at the lab, where numbered records are written and read."""
    person = Operator(lab, tmp_path)
    shutil.copy(Path(lab.folder).parent / "environments.yaml", tmp_path)
    with under_load(person, lab, WITHIN):
        yield person


def upgrading(operator: Operator, lab: LabState) -> list[Hand]:
    """The hands for ha#upgrade-kafka as it stands in the runbook."""

    def installs(_: Sequence[str]) -> None:
        operator.types()(["kafka-metadata-quorum.sh --bootstrap-server " + lab.bootstrap + " describe --status"])
        active = int(re.findall(r"LeaderId:\s+(\d+)", operator.output)[-1])
        lab.jars, lab.kafka = str(kafka_jars(cache_folder(), print)), KAFKA_VERSION
        Roll(operator, lab, order=sorted(lab.brokers, key=lambda broker: broker.number == active))(())

    return [operator.types(), installs, does_nothing, operator.types(), operator.types(), operator.types()]


@pytest.mark.parametrize("walker", walkers((2, 5), (1, 3, 4, 6)))
def test_a_cluster_gets_the_newest_release_under_load(
    operator: Operator, lab: LabState, walker: Walker, notes: Notes, keeps: Keep
) -> None:
    person = walker(lab)
    walked = Walked(operator.folder, "ha#upgrade-kafka", lab.name, words={"RELEASE": NEWEST})
    record = person.walks(walked, upgrading(operator, lab))
    assert completed(record), record.entries[-3:]
    expected = {"before": "3.9-IV0"} | ({} if 6 in person.steps else {"after": f"{NEWEST}-IV0"})
    for when, level in expected.items():
        features = operator.folder.joinpath(f"features-{when}.txt").read_text("utf-8")
        assert re.findall(r"metadata.version.*FinalizedVersionLevel: (\S+)", features) == [level] or 1 in person.steps
    notes(person.lines("ha#upgrade-kafka"))
    operator.counts()
    keeps(record, "plain, from 3.9", person.way, person.noticed, operator.ledger)

"""dr.md walked on two real sites under load, by its own text: failed over, and back, with every record counted."""

import json
import logging
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
import yaml

import kafka_lab as labs
from kafka_lab import LabState, connect, link, mirrors
from kafka_lab.admin import end_offsets, partitions
from kafka_lab.content import create_topics
from kafka_lab.processes import terminate
from kafka_lab.recovery import bring_back
from kafka_lab.signs import refuses
from kafka_lab.waiting import wait_until
from runbook.procedure.walk_record import Record
from support import two_sites
from support.careful_walker import Walked, does_nothing
from support.numbered_records import GROUP, PARTITIONS, TOPIC, settled
from support.operators import Operator, completed
from support.two_sites import BACK, SAFE, WITHIN, Sites
from support.two_sites_move import place, positions, put_back, state_of_the_flow

pytestmark = [pytest.mark.live, pytest.mark.thorough]
LOG = logging.getLogger(__name__)
CHECKPOINT_BACK = "mirror-checkpoint-back"
COUNT = {"PARTITIONS": str(PARTITIONS), "TOPIC": TOPIC}


@pytest.fixture
def two(sites: LabState) -> Iterator[Sites]:
    """Both sites, with the numbered topic mirrored and its group's position translated; in the end all is as before."""
    with two_sites.as_found(sites) as both:
        create_topics(both.here, {TOPIC: (PARTITIONS, 3, SAFE)})
        place(both.here, GROUP, TOPIC, [0] * PARTITIONS)
        try:
            yield both
        finally:
            put_back(both, GROUP, TOPIC)


def inventory(folder: Path, both: Sites, *, back: bool = False) -> None:
    """The lab's inventory, with the link on which this is about, and what it is for."""
    found = labs.running_inventory(Path(both.here.folder).parent)
    assert found is not None
    told = yaml.safe_load(found.read_text("utf-8"))
    [one] = told["mirrors"]
    one |= {"topics": [TOPIC], "groups": [GROUP]}
    if back:
        there = {
            "from": both.there.name,
            "to": both.here.name,
            "alias": mirrors.STANDBY,
            "target_alias": mirrors.PRIMARY,
        }
        told["mirrors"].append(one | there)
        [worker] = connect.workers_of(both.here)
        primary = told["environments"][both.here.name]
        primary.get("absent", {}).pop("connect", None)
        primary["connect"] = {"workers": {"apps": worker.url}}
    (folder / "environments.yaml").write_text(json.dumps(told), "utf-8")  # YAML too, and never with an alias


def mirrored(both: Sites) -> bool:
    """Whether the mirror has some records, and the group a position there."""
    copy = mirrors.remote(TOPIC)
    there = positions(both.there, GROUP, copy) if copy in partitions(both.there) else []
    return len(there) == PARTITIONS and sum(there) > 300


def of_both(alias: str) -> str:
    """The subscription that the procedures name: of a site's own topic, and of its mirror from the other."""
    return rf"^({alias}\.)?{TOPIC}$"


class Mover(Operator):
    """Who walks, and moves the applications between the sites."""

    def __init__(self, both: Sites, folder: Path) -> None:
        """Nothing runs yet."""
        super().__init__(both.here, folder)
        self.both = both


@pytest.fixture
def operator(two: Sites, tmp_path: Path) -> Iterator[Mover]:
    one = Mover(two, tmp_path)
    yield one
    one.stops()


def lose_the_primary(operator: Mover) -> None:
    """Cut the link and end the consumers, so that records are neither mirrored nor read; then kill every broker."""
    link.cut(operator.both.here)
    time.sleep(2)
    assert operator.reader is not None
    operator.reader.stop()
    time.sleep(2)
    for broker in operator.both.here.brokers:
        terminate(broker.process, patience=0)
    operator.stops()


def fail_over(operator: Mover) -> Record:
    """Walk it as it stands in the runbook."""
    here, there = operator.both

    def fences(_: Sequence[str]) -> None:
        assert all(refuses(broker.port) for broker in here.brokers)

    def moves_producers(_: Sequence[str]) -> None:
        operator.starts_writing(there)

    def starts_consumers(commands: Sequence[str]) -> None:
        operator.starts_reading(there, of_both(mirrors.PRIMARY))
        operator.types({"GROUP": GROUP})(commands)

    connector = {"SOURCE_CONNECTOR": mirrors.SOURCE}
    return Walked(operator.folder, "dr#fail-over", here.name, there.name).by(
        [
            *(does_nothing, fences, operator.types(connector), operator.types(connector)),
            *(operator.types(COUNT), operator.types({"GROUP": GROUP, "TOPIC": TOPIC})),
            *(moves_producers, starts_consumers, does_nothing),
        ]
    )


def never_mirrored(operator: Mover) -> int:
    """Records of the primary that lie behind what was saved in the fail-over: the loss, as its file tells it."""
    told = json.loads((operator.folder / "mirrored.json").read_text("utf-8"))["offsets"]
    reached = {
        one["partition"]["partition"]: one["offset"]["offset"] + 1 for one in told if one["partition"]["topic"] == TOPIC
    }
    assert len(reached) == PARTITIONS
    return end_offsets(operator.both.here, TOPIC) - sum(reached.values())


def test_failed_over_and_back_every_record_is_worked_on(operator: Mover) -> None:
    both, ledger = operator.both, operator.ledger
    here = both.here
    inventory(operator.folder, both)
    operator.starts_reading(here, of_both(mirrors.STANDBY))
    operator.starts_writing(here)
    wait_until(lambda: mirrored(both), "the numbered records to be mirrored", within=WITHIN)
    lose_the_primary(operator)

    record = fail_over(operator)
    assert completed(record), record.entries[-3:]
    wait_until(lambda: ledger.read_of(both.there.name), "the standby's records to be worked on", within=WITHIN)
    lost_meanwhile = ledger.lost & ledger.of(here.name)

    bring_back(here)
    link.mend(here)
    with two_sites.a_worker_at_the_primary(both):
        assert never_mirrored(operator) >= len(lost_meanwhile) > 0
        inventory(operator.folder, both, back=True)
        record = fail_back(operator)
        assert completed(record), record.entries[-3:]
        settled(ledger, 20)
        operator.stops()
        told = (len(ledger.acknowledged), len(lost_meanwhile), len(ledger.lost), len(ledger.doubled))
        LOG.info("%s acknowledged, %s missing meanwhile, %s lost, %s worked on twice", *told)
        assert ledger.lost == set()
        connect.retire_connector(here, BACK)
        connect.retire_connector(here, CHECKPOINT_BACK)


def flow_back(both: Sites) -> None:
    """The connectors that copy from the standby to the primary, by the default policy, at the primary's Connect."""
    here, there = both
    common = {
        "source.cluster.alias": mirrors.STANDBY,
        "target.cluster.alias": mirrors.PRIMARY,
        "source.cluster.bootstrap.servers": there.bootstrap,
        "target.cluster.bootstrap.servers": here.bootstrap,
    }
    connect.put_connector(here, BACK, mirrors.source(here, topics=TOPIC, **common))
    connect.put_connector(here, CHECKPOINT_BACK, mirrors.checkpoint(here, groups=GROUP, **common))


def fail_back(operator: Mover) -> Record:
    """Walk it as it stands in the runbook."""
    here, there = operator.both

    def brings_up(_: Sequence[str]) -> None:
        assert state_of_the_flow(operator.both) == "STOPPED"

    def starts_the_flow_back(_: Sequence[str]) -> None:
        flow_back(operator.both)

    def places_groups(commands: Sequence[str]) -> None:
        file = operator.folder / "go-on.csv"
        rows = [line for line in file.read_text("utf-8").splitlines() if line.startswith(f'"{TOPIC}",')]
        assert len(rows) == PARTITIONS
        file.write_text("\n".join(rows), "utf-8")
        operator.types({"GROUP": GROUP})(commands)

    def stops_producers(_: Sequence[str]) -> None:
        assert operator.writer is not None
        operator.writer.stop()

    def stops_consumers(commands: Sequence[str]) -> None:
        settled(operator.ledger, 5)
        assert operator.reader is not None
        operator.reader.stop()
        operator.types({"GROUP": GROUP})(commands)

    def moves_producers(_: Sequence[str]) -> None:
        operator.starts_writing(here)

    def starts_consumers(commands: Sequence[str]) -> None:
        operator.starts_reading(here, of_both(mirrors.STANDBY))
        operator.types({"GROUP": GROUP})(commands)

    def turns_round(commands: Sequence[str]) -> None:
        connect.pause(here, BACK)
        connect.resume(there, mirrors.SOURCE)
        operator.types({"TOPIC": TOPIC})(commands)

    return Walked(operator.folder, "dr#fail-back", there.name, here.name).by(
        [
            *(brings_up, operator.types({"TOPIC": TOPIC}), does_nothing, starts_the_flow_back, places_groups),
            *(stops_producers, stops_consumers, does_nothing, moves_producers, starts_consumers, turns_round),
        ]
    )

"""The leader's segment is damaged while records are written: what ha.md says of it is right, and its remedies safe."""

import json
import re
import shutil
from pathlib import Path
from typing import Final

import pytest

from kafka_lab import LabState
from kafka_lab.admin import partitions
from kafka_lab.processes import terminate
from kafka_lab.recovery import bring_back, make_whole
from kafka_lab.waiting import wait_until
from support.numbered_records import TOPIC
from support.operators import Operator

pytestmark = [pytest.mark.live, pytest.mark.thorough, pytest.mark.timeout(1200)]
PLACE: Final = f"{TOPIC}-0"
PATIENCE: Final = 60.0  # seconds for a broker to hand over its leaders and end
WITHIN: Final = 240.0  # seconds on a busy machine
BAD: Final = re.compile(r"isvalid: false|Exception")
"""How kafka-dump-log.sh shows a damaged copy; the end of one that is written may be half a batch."""


def segment(lab: LabState, number: int) -> Path:
    """The first segment of the partition's copy on a broker."""
    return min((lab.data_of(lab.broker(number)) / PLACE).glob("*.log"))


def damage(file: Path) -> None:
    """Change some bytes of a record in the first half, as a disk or a memory does that errs."""
    with file.open("r+b") as stream:
        stream.seek(file.stat().st_size // 3)
        before = stream.read(8)
        stream.seek(-len(before), 1)
        stream.write(bytes(byte ^ 0xFF for byte in before))


def dumped(operator: Operator, file: Path) -> str:
    """What Kafka's tool says of a segment."""
    operator.types()([f"kafka-dump-log.sh --deep-iteration --files {file} 2>&1 | sed s/ERROR/error/g || true"])
    return operator.output


def test_a_damaged_leader_is_replaced_and_its_copy_made_anew_without_a_loss(
    operator: Operator, healthy_lab: LabState
) -> None:
    lab = healthy_lab
    found = partitions(lab)[TOPIC][0]
    [other] = {*found.replicas} - {found.leader}
    damage(segment(lab, found.leader))
    assert BAD.search(dumped(operator, segment(lab, found.leader)))
    assert not BAD.search(dumped(operator, segment(lab, other)))

    order = [{"topic": TOPIC, "partition": 0, "replicas": [other, found.leader]}]
    (operator.folder / "order.json").write_text(json.dumps({"version": 1, "partitions": order}), "utf-8")
    types = operator.types({"HOST:PORT": lab.bootstrap, "TOPIC": TOPIC, "PARTITION": "0"})
    types(["kafka-reassign-partitions.sh --bootstrap-server HOST:PORT --reassignment-json-file order.json --execute"])
    elects = "kafka-leader-election.sh --bootstrap-server HOST:PORT --election-type preferred"
    types([f"{elects} --topic TOPIC --partition PARTITION"])
    wait_until(lambda: partitions(lab)[TOPIC][0].leader == other, "the sound copy to lead", within=WITHIN)

    damaged = lab.broker(found.leader)
    terminate(damaged.process, patience=PATIENCE)
    shutil.move(lab.data_of(damaged) / PLACE, operator.folder / "kept")
    bring_back(lab)
    make_whole(lab)
    assert not BAD.search(dumped(operator, segment(lab, found.leader)))
    assert {*partitions(lab)[TOPIC][0].replicas} == {*found.replicas}
    assert BAD.search(dumped(operator, min((operator.folder / "kept").glob("*.log"))))
    operator.counts()

"""Labs whose brokers are no more than sleeping processes: enough to test what needs no Kafka."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from kafka_lab import processes
from kafka_lab.configuration import planned
from kafka_lab.state import LabState


@pytest.fixture
def pretend(tmp_path: Path) -> Iterator[Callable[[str], LabState]]:
    """Make a lab of this name in `tmp_path`, ready, its brokers' processes asleep."""
    made = []

    def make(name: str) -> LabState:
        folder = tmp_path / name
        folder.mkdir()
        lab = LabState(name, str(folder), f"cluster-of-{name}", "4.0.0", "/nowhere", planned(3), ready=True)
        for broker in lab.brokers:
            broker.process = processes.start(["sleep", "60"], output=folder / "out", folder=folder)
            lab.data_of(broker).mkdir(parents=True)
            lab.log_of(broker).parent.mkdir(exist_ok=True)
            lab.log_of(broker).write_text("a line\n")
        lab.save()
        made.append(lab)
        return lab

    yield make
    for lab in made:
        for broker in lab.brokers:
            processes.terminate(broker.process, patience=0)

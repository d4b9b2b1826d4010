"""What tests on two sites share."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import kafka_lab as labs
from kafka_lab import LabState
from kafka_lab.state import known
from support.evidence.labs import Labs


@pytest.fixture
def sites(running: Labs) -> Iterator[LabState]:
    """The primary of two sites, with no fault in force, neither before the test nor after it."""
    lab: LabState = running.of("sites")
    home = Path(lab.folder).parent
    labs.heal(lab.name, home=home)
    yield known(lab.name, home)
    labs.heal(lab.name, home=home)

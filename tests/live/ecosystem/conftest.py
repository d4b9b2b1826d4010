"""The lab with a Schema Registry and Connect that these tests share, healed before each of them."""

from pathlib import Path

import pytest

import kafka_lab as labs
from kafka_lab import LabState, parts
from kafka_lab.state import known
from support.ecosystem.lab import PARTS
from support.evidence.labs import Labs


@pytest.fixture
def ecosystem(running: Labs) -> LabState:
    """It has no fault in force, and nothing of what a test before left."""
    if reason := "; ".join(filter(None, map(parts.lacking, PARTS))):
        pytest.skip(reason)
    lab: LabState = running.of("ecosystem")
    home = Path(lab.folder).parent
    if known(lab.name, home).faults:
        labs.heal(lab.name, home=home)
    return known(lab.name, home)

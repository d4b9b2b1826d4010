"""Who walks at the plain lab that all tests share."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from kafka_lab import LabState
from kafka_lab.recovery import make_whole
from support.operators import Operator, at_work


@pytest.fixture
def operator(healthy_lab: LabState, tmp_path: Path) -> Iterator[Operator]:
    """Somebody at the lab, where numbered records are written and read in a topic of two copies; gone in the end."""
    try:
        with at_work(healthy_lab, tmp_path) as person:
            yield person
    finally:
        make_whole(healthy_lab)

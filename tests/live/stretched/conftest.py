"""A stretched lab for those who walk at it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from kafka_lab import LabState
from support.evidence.labs import kafka_lab
from support.operators import with_numbered_topic

COPIES = 4
"""Of the numbered records: two in each place."""


@pytest.fixture
def lab(tmp_path: Path) -> Iterator[LabState]:
    """A stretched lab of the test's own: it does not become as it was."""
    with kafka_lab("stretched", tmp_path / "labs", ["stretched"]) as up:
        yield with_numbered_topic(up, COPIES)

"""A lab with a standby for the tests of each module here; it goes down after the last of them."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from runbook import lab as labs
from runbook.lab import LabState


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LabState]:
    """A lab with a standby, in a folder of its own."""
    home = tmp_path_factory.mktemp("dr")
    try:
        yield labs.up("dr", home=home, progress=lambda _: None, with_parts=["dr"])
    finally:
        labs.down("dr", home=home)


@pytest.fixture
def healthy(lab: LabState) -> Iterator[LabState]:
    """The lab, healed afterwards."""
    yield lab
    labs.heal(lab.name, home=Path(lab.folder).parent)

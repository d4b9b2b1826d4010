"""What tests of several rooms share: one real cluster for the whole session."""

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from runbook import lab as labs
from runbook.lab import LabState
from runbook.lab.state import known

# How long an example takes says how busy the machine is, not whether the code is right.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")


LAST = "tests/live/test_kubernetes.py"
"""These may build a control plane first, with all the machine has: nothing else should run beside them."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put what builds for minutes at the end."""
    items.sort(key=lambda item: item.nodeid.startswith(LAST))


@pytest.fixture(scope="session")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LabState]:
    """A running lab named "pytest" in a folder of its own; Kafka's jars come from the shared cache."""
    home = tmp_path_factory.mktemp("lab")
    try:
        yield labs.up("pytest", home=home, progress=logging.getLogger("lab").info)
    finally:
        labs.down("pytest", home=home)


@pytest.fixture
def healthy_lab(lab: LabState) -> Iterator[LabState]:
    """The lab with no fault in force, neither before the test nor after it."""
    home = Path(lab.folder).parent
    _make_healthy(lab.name, home)
    yield known(lab.name, home)
    _make_healthy(lab.name, home)


@pytest.fixture
def lab_inventory(healthy_lab: LabState) -> Path:
    """The inventory of the healthy lab; its one environment is named "pytest"."""
    inventory = labs.running_inventory(Path(healthy_lab.folder).parent)
    assert inventory is not None
    return inventory


def _make_healthy(name: str, home: Path) -> None:
    now = known(name, home)
    if now.faults or any(broker.condition != "alive" for broker in now.brokers):
        labs.heal(name, home=home)

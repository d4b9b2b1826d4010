"""What tests of several rooms share: one real cluster for the whole session."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import settings

import kafka_lab as labs
from kafka_lab import LabState
from kafka_lab.state import known
from runbook.run.sources import secret_references
from support.evidence.labs import LABS, Labs

# How long an example takes says how busy the machine is, not whether the code is right.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")

_LONGEST = 80
pytest_plugins = ["support.catalogs", "support.beside", "support.closing", "support.kept_walks", "support.failed_labs"]


def pytest_addoption(parser: pytest.Parser) -> None:
    """Offer what `make test-live` and `make release` ask for beside what every run does."""
    parser.addoption("--release", action="store_true", help="as before a tag: evidence that is old fails")
    parser.addoption("--thorough", action="store_true", help="also run tests marked thorough: minutes on real systems")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what is thorough, unless it is asked for: kept evidence stands in for it."""
    left_out = [] if config.getoption("--thorough") else [item for item in items if item.get_closest_marker("thorough")]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if not item.get_closest_marker("thorough")]


def pytest_make_parametrize_id(val: object) -> str | None:
    """Cut names that are whole documents: nobody reads them, and a run that ends lists some."""
    if isinstance(val, str | bytes) and len(val) > _LONGEST:
        return ascii(val[:_LONGEST])
    return None


@pytest.fixture(autouse=True)
def no_secrets_of_other_tests(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process hides every secret that it followed a reference to; those of one test would be hidden from the next."""
    monkeypatch.setattr(secret_references, "_followed", set())


@pytest.fixture(scope="session")
def running(tmp_path_factory: pytest.TempPathFactory, pytestconfig: pytest.Config) -> Iterator[Labs]:
    """The labs of this session by shape (`tests/live/SHAPE/scenes.py`): each is started once, when first wanted."""
    with closing(Labs(tmp_path_factory.mktemp)) as all_of_them:
        pytestconfig.stash[LABS] = all_of_them
        yield all_of_them


@pytest.fixture(scope="session")
def lab(running: Labs) -> LabState:
    """Three brokers without anything beside them, maybe as the test before left them."""
    plain: LabState = running.of("plain")
    return plain


@pytest.fixture
def healthy_lab(lab: LabState) -> Iterator[LabState]:
    """The lab with no fault in force, neither before the test nor after it."""
    home = Path(lab.folder).parent
    _make_healthy(lab.name, home)
    yield known(lab.name, home)
    _make_healthy(lab.name, home)


@pytest.fixture
def lab_inventory(healthy_lab: LabState) -> Path:
    """The inventory of the healthy lab; its one environment is named "plain"."""
    inventory = labs.running_inventory(Path(healthy_lab.folder).parent)
    assert inventory is not None
    return inventory


def _make_healthy(name: str, home: Path) -> None:
    now = known(name, home)
    if now.faults or any(broker.condition != "alive" for broker in now.brokers):
        labs.heal(name, home=home)

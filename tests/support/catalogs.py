"""A user's `checks/` folder with a connection to nothing and probes that go wrong, for the tests that ask for it."""

from collections.abc import Iterator

import pytest

from runbook.plugins.catalog import add_user_checks, catalog
from support.small_runbooks import FAKES

ROOMS = ("connections", "probes", "views")


@pytest.fixture
def clean_catalogs() -> Iterator[None]:
    """Whatever a test adds to the catalogs is gone after it."""
    before = [(catalog(room), dict(catalog(room)._files), dict(catalog(room)._loaded)) for room in ROOMS]
    yield
    for catalog_, files, loaded in before:
        catalog_._files, catalog_._loaded = files, loaded


@pytest.fixture
def fakes(clean_catalogs: None) -> str:  # noqa: ARG001 - a fixture that cleans up
    """The fakes are in the catalogs; gives their folder, for workers."""
    add_user_checks(FAKES)
    return str(FAKES)

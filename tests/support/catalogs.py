"""A user's `checks/` folder with a connection to nothing and probes that go wrong, for the tests that ask for it."""

from collections.abc import Iterator
from contextlib import contextmanager
from copy import copy

import pytest

from runbook.plugins.catalog import add_user_checks, catalog
from support.small_runbooks import FAKES

ROOMS = ("connections", "probes", "recoveries", "views")


@contextmanager
def catalogs_as_before() -> Iterator[None]:
    """Whatever is added to the catalogs meanwhile is gone after it."""
    before = {room: {name: copy(value) for name, value in vars(catalog(room)).items()} for room in ROOMS}
    try:
        yield
    finally:
        for room, values in before.items():
            vars(catalog(room)).update(values)


@pytest.fixture
def clean_catalogs() -> Iterator[None]:
    """Whatever a test adds to the catalogs is gone after it."""
    with catalogs_as_before():
        yield


@pytest.fixture
def fakes(clean_catalogs: None) -> str:  # noqa: ARG001 - a fixture that cleans up
    """The fakes are in the catalogs; gives their folder, for workers."""
    add_user_checks(FAKES)
    return str(FAKES)

"""Which tests may run in processes beside each other, and in which order.

A test runs where the others of its group do, so that what they share is made once. The tests of a module are a group,
and so are all those that share what is too dear to make twice.
"""

from collections.abc import Generator
from typing import Any

import pytest

from support.evidence.labs import LABS

PLAIN = "plain"
"""The shape of the lab that tests of other rooms share too."""
DEAR = {"lab": PLAIN, "spark": "spark", "chromium_path": "browser"}
"""Fixture that is dear to make -> the group of all its tests, in whichever module they are."""
FIRST = (
    PLAIN,
    "spark",  # these two before the live ones: while they work, labs wait
    "browser",
    "tests/live/",
    "made again",
    "kept",
    "tests/how_to/test_weekly_runs.py",
    "tests/test_",
)
"""What groups that take minutes begin with. They start before the others, so that none runs on alone in the end."""
LAST = "tests/live/api_server"
"""These may build an API server first, with all the machine has: nothing else should run beside them."""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> Generator[None, None, None]:
    """Stop the labs of a group with its last test: idle brokers take a twentieth of a core each from what follows."""
    yield
    of_another = nextitem is None or group_of(nextitem.user_properties) != group_of(item.user_properties)
    if of_another and LABS in item.config.stash:
        item.config.stash[LABS].close()


@pytest.hookimpl(tryfirst=True)  # pytest-xdist reads the groups in the same hook
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give every test its group, and put the tests in order."""
    for item in items:
        name = _group(item)
        item.user_properties.append(("group", name))
        if name != _module(item.nodeid) and item.get_closest_marker("xdist_group") is None:
            item.add_marker(pytest.mark.xdist_group(name))
    items.sort(key=lambda item: _rank(group_of(item.user_properties)))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Keep modules together, and the order as it is: the plugin's own scheduler takes every test by itself."""
    from xdist.scheduler import LoadGroupScheduling

    class ByModule(LoadGroupScheduling):  # type: ignore[misc]
        def _split_scope(self, nodeid: str) -> str:
            named = name_of(nodeid) != nodeid
            return str(super()._split_scope(nodeid)) if named else _module(nodeid)

    config.option.loadscopereorder = False
    return ByModule(config, log)


def group_of(properties: list[tuple[str, object]]) -> str:
    """The group of a test, of which these properties are noted."""
    return str(dict(properties).get("group", ""))


def name_of(nodeid: str) -> str:
    """A test's name without the group that pytest-xdist adds to it."""
    return nodeid.rpartition("@")[0] if nodeid.rfind("@") > nodeid.rfind("]") else nodeid


def _group(item: pytest.Item) -> str:
    chosen = item.get_closest_marker("xdist_group")
    if chosen is not None:
        return str(chosen.args[0])
    for fixture, group in DEAR.items():
        made = item._fixtureinfo.name2fixturedefs.get(fixture)  # type: ignore[attr-defined]
        if made and made[-1].scope == "session":  # a module may have one of the same name for itself
            return group
    return _module(item.nodeid)


def _module(nodeid: str) -> str:
    """The module of a test; of live tests the folder, as they share the lab of its shape."""
    module = nodeid.partition("::")[0]
    folder = module.rpartition("/")[0]
    if folder.rpartition("/")[0] != "tests/live":
        return module
    return PLAIN if folder == f"tests/live/{PLAIN}" else folder


def _rank(group: str) -> int:
    if group == LAST:
        return len(FIRST) + 1
    return next((place for place, begins in enumerate(FIRST) if group.startswith(begins)), len(FIRST))

"""Tests of a group run in one process, where tests run beside each other."""

import os
from types import SimpleNamespace

import pytest

from support.beside import name_of, pytest_runtest_teardown
from support.evidence.labs import LABS


@pytest.mark.xdist_group("together")
def test_pytest_xdist_knows_the_group_of_a_test(request: pytest.FixtureRequest):
    beside = "PYTEST_XDIST_WORKER" in os.environ
    assert request.node.nodeid.endswith("@together") is beside  # else each test of it would run anywhere
    assert name_of(request.node.nodeid).endswith("::test_pytest_xdist_knows_the_group_of_a_test")


class Closed:
    """Labs that count how often they are stopped."""

    times = 0

    def close(self) -> None:
        """Count."""
        self.times += 1


def test_the_labs_of_a_group_are_stopped_with_its_last_test():
    labs, stash = Closed(), pytest.Stash()
    stash[LABS] = labs  # type: ignore[assignment]  # all that is asked of them is to stop

    def item(group: str) -> pytest.Item:
        return SimpleNamespace(user_properties=[("group", group)], config=SimpleNamespace(stash=stash))  # type: ignore[return-value]

    def ends(item: pytest.Item, following: pytest.Item | None) -> int:
        for _ in pytest_runtest_teardown(item, following):
            pass
        return labs.times

    assert [ends(item("a"), item("a")), ends(item("a"), item("b")), ends(item("b"), None)] == [0, 1, 2]

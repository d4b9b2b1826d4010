"""Which environments `--env` means, and what is said where it is not clear."""

import datetime as dt

import pytest

from runbook.model.errors import UsageError
from runbook.parse.inventory import Inventory, parse_inventory
from runbook.run.choosing import choose, choose_one


@pytest.fixture
def two() -> Inventory:
    """An inventory of two environments without a default."""
    text = "environments: {dev: {kafka: {bootstrap.servers: 'a:1'}}, stage: {kafka: {bootstrap.servers: 'b:1'}}}"
    return parse_inventory(text, "e.yaml", dt.date(2026, 11, 26))


def test_where_only_one_will_do_a_glob_is_not_proposed(two: Inventory) -> None:
    with pytest.raises(UsageError, match=r"which environment\? --env NAME or --env '\*'; e.yaml has: dev, stage"):
        choose(two, [])
    with pytest.raises(UsageError, match=r"which environment\? --env NAME; e.yaml has: dev, stage"):
        choose_one(two, [], "a walk has one")
    assert choose_one(two, ["st*"], "a walk has one").name == "stage"


def test_more_than_one_where_only_one_will_do_says_why_and_which_there_are(two: Inventory) -> None:
    with pytest.raises(UsageError) as caught:
        choose_one(two, ["*"], "a walk ends in one", "--to")
    assert str(caught.value) == "--to * means 2 environments, and a walk ends in one: name one of dev, stage"

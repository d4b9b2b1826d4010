"""Which environments `--env` means, and what is said where it is not clear."""

import datetime as dt

import pytest

from runbook.model.errors import UsageError
from runbook.parse.inventory import Inventory, parse_inventory
from runbook.run.sources.chosen_environments import choose, choose_one


def inventory(text: str) -> Inventory:
    return parse_inventory(text, "e.yaml", dt.date(2026, 11, 26))


@pytest.fixture
def two() -> Inventory:
    """An inventory of two environments without a default."""
    return inventory(
        "environments: {dev: {kafka: {bootstrap.servers: 'a:1'}}, stage: {kafka: {bootstrap.servers: 'b:1'}}}"
    )


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


def test_the_only_environment_needs_no_name_and_several_need_one():
    assert [t.name for t in choose(inventory("environments: {one: {}}"), [])] == ["one"]
    several = inventory("environments: {prod-eu: {}, prod-us: {}, stage: {}}")
    with pytest.raises(UsageError, match="prod-eu, prod-us, stage"):
        choose(several, [])
    assert [t.name for t in choose(several, ["prod-*"])] == ["prod-eu", "prod-us"]
    assert [t.name for t in choose(several, ["prod-us,prod-eu"])] == ["prod-us", "prod-eu"]
    with pytest.raises(UsageError, match="did you mean stage"):
        choose(several, ["stgae"])


def test_a_declared_default_is_taken():
    assert [t.name for t in choose(inventory("environments: {a: {}, b: {}}\ndefault: b"), [])] == ["b"]

from pathlib import Path

import pytest

from runbook.model.errors import UsageError
from runbook.run.sources import inventories


def test_an_inventory_is_looked_for_in_the_documented_order(here: Path, monkeypatch: pytest.MonkeyPatch):
    assert inventories.find_inventory(None) is None
    (here / ".config" / "runbook").mkdir(parents=True)
    user = here / ".config" / "runbook" / "environments.yaml"
    user.write_text("", "utf-8")
    assert inventories.find_inventory(None) == user
    (here / "environments.yaml").write_text("", "utf-8")
    assert inventories.find_inventory(None) == Path("environments.yaml")
    monkeypatch.setenv("RUNBOOK_INVENTORY", "/elsewhere.yaml")
    assert inventories.find_inventory(None) == Path("/elsewhere.yaml")
    assert inventories.find_inventory(Path("given.yaml")) == Path("given.yaml")


def test_an_inventory_that_is_not_there_is_asked_for_by_the_name_of_the_one_that_is(here: Path):
    with pytest.raises(UsageError, match=r"environments.yml:1:1 .*can't be read"):
        inventories.load_inventory(Path("environments.yml"))
    (here / "kb").mkdir()
    (here / "kb" / "environments.yaml").write_text("", "utf-8")
    with pytest.raises(UsageError, match=r"no inventory kb/environments.yml: did you mean kb/environments.yaml\?"):
        inventories.load_inventory(Path("kb/environments.yml"))
    (here / "kb" / "runbook.yaml").write_text("", "utf-8")  # a project's settings
    assert inventories.find_inventory(Path("kb/nope.yaml")) == Path("kb/nope.yaml")
    (here / "kb" / "environments.yml").write_text("", "utf-8")
    assert inventories.find_inventory(Path("kb/environments.yml")) == Path("kb/environments.yml")

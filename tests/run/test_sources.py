import datetime as dt
from pathlib import Path

import pytest

from runbook.model.errors import UsageError
from runbook.parse.inventory import Inventory, parse_inventory
from runbook.run import sources
from runbook.run.sources import shown_path

TODAY = dt.date(2026, 11, 21)


def inventory(text: str) -> Inventory:
    return parse_inventory(text, "environments.yaml", TODAY)


def test_a_path_that_exists_beats_a_built_in_name(here: Path):
    assert sources.locate("ha.md")[1] == "built-in"
    (here / "ha.md").write_text("mine", "utf-8")
    assert sources.locate("ha.md") == (Path("ha.md"), "file")
    assert sources.locate("ha")[1] == "built-in"


def test_a_built_in_runbook_named_by_its_path_is_still_built_in():
    path = sources.builtin_runbooks() / "ha.md"
    assert sources.locate(str(path)) == (path, "built-in")


def test_an_inventory_is_looked_for_in_the_documented_order(here: Path, monkeypatch: pytest.MonkeyPatch):
    assert sources.find_inventory(None) is None
    (here / ".config" / "runbook").mkdir(parents=True)
    user = here / ".config" / "runbook" / "environments.yaml"
    user.write_text("", "utf-8")
    assert sources.find_inventory(None) == user
    (here / "environments.yaml").write_text("", "utf-8")
    assert sources.find_inventory(None) == Path("environments.yaml")
    monkeypatch.setenv("RUNBOOK_INVENTORY", "/elsewhere.yaml")
    assert sources.find_inventory(None) == Path("/elsewhere.yaml")
    assert sources.find_inventory(Path("given.yaml")) == Path("given.yaml")


def test_an_inventory_that_is_not_there_is_asked_for_by_the_name_of_the_one_that_is(here: Path):
    with pytest.raises(UsageError, match=r"environments.yml:1:1 .*can't be read"):
        sources.load_inventory(Path("environments.yml"))
    (here / "kb").mkdir()
    (here / "kb" / "environments.yaml").write_text("", "utf-8")
    with pytest.raises(UsageError, match=r"no inventory kb/environments.yml: did you mean kb/environments.yaml\?"):
        sources.load_inventory(Path("kb/environments.yml"))
    (here / "kb" / "runbook.yaml").write_text("", "utf-8")  # a project's settings
    assert sources.find_inventory(Path("kb/nope.yaml")) == Path("kb/nope.yaml")
    (here / "kb" / "environments.yml").write_text("", "utf-8")
    assert sources.find_inventory(Path("kb/environments.yml")) == Path("kb/environments.yml")


def test_two_runbooks_of_one_name_are_refused(here: Path):
    text = (sources.builtin_runbooks() / "ha.md").read_text("utf-8")
    (here / "ha.md").write_text(text + "\nMine.\n", "utf-8")
    with pytest.raises(UsageError, match="two different runbooks are called ha"):
        sources.read_all(["ha", "ha.md"])


def test_a_folder_is_no_runbook(here: Path):
    with pytest.raises(UsageError, match="is a folder"):
        sources.locate(str(here))


def test_a_file_is_named_from_here_and_whole_from_the_root(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = tmp_path / "books/mine.md"
    monkeypatch.chdir(tmp_path)
    assert shown_path(file) == "books/mine.md"
    monkeypatch.chdir("/")
    assert shown_path(file) == str(file)
    assert shown_path(Path("books/mine.md")) == "books/mine.md"

from pathlib import Path

import pytest

from runbook.model.errors import UsageError
from runbook.run.sources import runbooks
from runbook.run.sources.runbooks import shown_path


def test_a_path_that_exists_beats_a_built_in_name(here: Path):
    assert runbooks.locate("ha.md")[1] == "built-in"
    (here / "ha.md").write_text("mine", "utf-8")
    assert runbooks.locate("ha.md") == (Path("ha.md"), "file")
    assert runbooks.locate("ha")[1] == "built-in"


def test_a_built_in_runbook_named_by_its_path_is_still_built_in():
    path = runbooks.builtin_runbooks() / "ha.md"
    assert runbooks.locate(str(path)) == (path, "built-in")


def test_two_runbooks_of_one_name_are_refused(here: Path):
    text = (runbooks.builtin_runbooks() / "ha.md").read_text("utf-8")
    (here / "ha.md").write_text(text + "\nMine.\n", "utf-8")
    with pytest.raises(UsageError, match="two different runbooks are called ha"):
        runbooks.read_all(["ha", "ha.md"])


def test_a_folder_is_no_runbook(here: Path):
    with pytest.raises(UsageError, match="is a folder"):
        runbooks.locate(str(here))


def test_a_folder_hides_no_runbook_of_its_name(here: Path):
    (here / "consumers").mkdir()
    assert runbooks.locate("consumers")[1] == "built-in"
    (book,) = runbooks.read_all(["consumers"])
    assert book.name == "consumers"


def test_a_file_is_named_from_here_and_whole_from_the_root(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = tmp_path / "books/mine.md"
    monkeypatch.chdir(tmp_path)
    assert shown_path(file) == "books/mine.md"
    monkeypatch.chdir("/")
    assert shown_path(file) == str(file)
    assert shown_path(Path("books/mine.md")) == "books/mine.md"

"""What a project took the built-in runbooks to be is written down whole, and read as it was."""

from pathlib import Path

import pytest

from runbook.model.errors import UsageError
from runbook.run.sources.runbooks import builtin_names, read_all
from runbook.upgrade.accepted import RECORD, as_built_in, read_accepted, write_accepted


def test_every_check_of_the_named_runbooks_is_in_it_and_comes_back(tmp_path: Path) -> None:
    accepted = as_built_in(builtin_names())
    assert [*accepted.checks()] == [placed.name for book in read_all(builtin_names()) for placed in book.checks()]
    write_accepted(tmp_path, accepted)
    assert read_accepted(tmp_path) == accepted
    assert [*as_built_in(["gc"]).runbooks] == ["gc"]


def test_it_is_the_same_text_each_time(tmp_path: Path) -> None:
    first = write_accepted(tmp_path, as_built_in(["gc", "ha"])).read_bytes()
    assert write_accepted(tmp_path, as_built_in(["gc", "ha"])).read_bytes() == first


def test_none_and_one_that_can_not_be_read_are_told_apart(tmp_path: Path) -> None:
    assert read_accepted(tmp_path) is None
    (tmp_path / RECORD).write_text('{"tool": "1"}')
    with pytest.raises(UsageError, match=r"runbook\.lock is no record of built-in runbooks"):
        read_accepted(tmp_path)


def test_a_file_in_the_place_of_the_folder_can_not_be_written_into(tmp_path: Path) -> None:
    (tmp_path / "gone").write_text("no folder")
    with pytest.raises(UsageError, match="can't be written"):
        write_accepted(tmp_path / "gone", as_built_in(["gc"]))

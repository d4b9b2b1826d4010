import threading
from pathlib import Path

import pytest

from kafka_lab.places import held, lab_folder, lab_home, write_whole
from runbook.folders import cache_folder
from runbook.model.errors import UsageError


def test_the_project_s_variables_come_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RUNBOOK_LAB_HOME", "/somewhere/lab")
    monkeypatch.setenv("RUNBOOK_CACHE", "/somewhere/cache")
    monkeypatch.setenv("XDG_STATE_HOME", "/state")
    monkeypatch.setenv("XDG_CACHE_HOME", "/cache")
    assert (lab_home(), cache_folder()) == (Path("/somewhere/lab"), Path("/somewhere/cache"))


def test_then_come_the_user_s_folders_and_relative_ones_are_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RUNBOOK_LAB_HOME", raising=False)
    monkeypatch.delenv("RUNBOOK_CACHE", raising=False)
    monkeypatch.setenv("HOME", "/home/her")
    monkeypatch.setenv("XDG_STATE_HOME", "/state")
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    assert lab_home() == Path("/state/runbook/lab")
    assert cache_folder() == Path("/home/her/.cache/runbook")


@pytest.mark.parametrize("name", ["", "../x", "a/b", "-rf", "Lab", "x" * 41, "a b"])
def test_a_name_that_could_leave_the_home_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="can't be a lab's name"):
        lab_folder(name, tmp_path)


def test_a_file_is_replaced_in_one_step(tmp_path: Path) -> None:
    file = tmp_path / "deep" / "file"
    write_whole(file, "old")
    with file.open() as reader:
        write_whole(file, "new")
        assert reader.read() == "old"
    assert file.read_text() == "new"
    assert [path.name for path in file.parent.iterdir()] == ["file"]


def test_a_lock_keeps_the_second_one_waiting(tmp_path: Path) -> None:
    order = []

    def second() -> None:
        with held(tmp_path / "lock"):
            order.append("second")

    with held(tmp_path / "lock"):
        waiting = threading.Thread(target=second)
        waiting.start()
        waiting.join(0.2)
        order.append("first")
    waiting.join(5)
    assert order == ["first", "second"]

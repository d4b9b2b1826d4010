import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from runbook.plugins import debugging, kept_files
from runbook.plugins.kept_files import keep, kept, name_of, sealed

NAME = name_of("thing", ["model"], "text")
DATA = b"what was made"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's folder of what is kept, not made yet."""
    monkeypatch.setenv("RUNBOOK_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache" / "kept"


def test_what_was_made_once_is_there_again(folder: Path):
    assert kept(NAME) is None
    keep(NAME, DATA)
    assert kept(NAME) == DATA
    assert folder.stat().st_mode & 0o777 == 0o700
    assert (folder / NAME).stat().st_mode & 0o777 == 0o600
    keep(NAME, b"made anew")
    assert kept(NAME) == b"made anew"
    assert [file.name for file in folder.iterdir()] == [NAME]


@pytest.mark.usefixtures("folder")
def test_another_text_another_kind_and_other_code_have_names_of_their_own(monkeypatch: pytest.MonkeyPatch):
    names = {NAME, name_of("thing", ["model"], "texts"), name_of("being", ["model"], "text")}
    names |= {name_of("thing", ["model", "parse"], "text"), name_of("thing", ["model"], "te", "xt")}
    monkeypatch.setattr(kept_files, "_code", lambda _: "of another version")
    assert len(names | {name_of("thing", ["model"], "text")}) == 6


def test_code_that_is_changed_is_other_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "room").mkdir()
    (tmp_path / "room" / "one.py").write_text("x = 1")
    monkeypatch.setattr(kept_files, "PACKAGE", tmp_path)
    kept_files._code.cache_clear()
    before = name_of("thing", ["room"], "text")
    (tmp_path / "room" / "one.py").write_text("x = 2")
    kept_files._code.cache_clear()
    after = name_of("thing", ["room"], "text")
    assert "" not in {before, after}
    assert before != after
    assert name_of("thing", ["no-room"], "text") == ""
    kept_files._code.cache_clear()


def test_nothing_is_kept_of_what_has_no_name(folder: Path):
    keep("", DATA)
    assert kept("") is None
    assert not folder.exists()


def truncated(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-1])


def emptied(file: Path) -> None:
    file.write_bytes(b"")


def garbage(file: Path) -> None:
    file.write_bytes(os.urandom(4096))


def one_bit(file: Path) -> None:
    data = bytearray(file.read_bytes())
    data[-1] ^= 1
    file.write_bytes(data)


def of_another_name(file: Path) -> None:
    file.write_bytes(sealed(name_of("thing", ["model"], "another text"), DATA))


def writable_by_all(file: Path) -> None:
    file.chmod(0o602)


def writable_by_a_group(file: Path) -> None:
    file.chmod(0o620)


def in_a_folder_of_all(file: Path) -> None:
    file.parent.chmod(0o777)


def a_link(file: Path) -> None:
    file.rename(file.with_name("elsewhere"))
    file.symlink_to(file.with_name("elsewhere"))


def a_second_name(file: Path) -> None:
    os.link(file, file.with_name("elsewhere"))


def in_a_linked_folder(file: Path) -> None:
    file.parent.rename(file.parent.with_name("elsewhere"))
    file.parent.symlink_to(file.parent.with_name("elsewhere"))


def a_folder(file: Path) -> None:
    file.unlink()
    file.mkdir()


def a_pipe(file: Path) -> None:
    file.unlink()
    os.mkfifo(file, 0o600)


PLANTED = [truncated, emptied, garbage, one_bit, of_another_name, writable_by_all, writable_by_a_group]
PLANTED += [in_a_folder_of_all, a_link, a_second_name, in_a_linked_folder, a_folder, a_pipe]


@pytest.mark.parametrize("plant", PLANTED)
def test_nothing_is_believed_that_others_may_have_written_or_that_is_not_whole(
    plant: Callable[[Path], None], folder: Path
):
    keep(NAME, DATA)
    assert kept(NAME) == DATA
    plant(folder / NAME)
    assert kept(NAME) is None
    keep(NAME, DATA)  # it may be impossible, and is no mistake


@pytest.mark.parametrize("whose", ["file", "folder"])
def test_nothing_is_believed_that_belongs_to_somebody_else(whose: str, folder: Path, monkeypatch: pytest.MonkeyPatch):
    keep(NAME, DATA)
    if os.geteuid() == 0:
        os.chown(folder / NAME if whose == "file" else folder, 12345, -1)
    else:  # as if one were somebody else
        monkeypatch.setattr(os, "geteuid", lambda: 12345)
    assert kept(NAME) is None


def test_what_is_not_used_is_said_with_debug(folder: Path, monkeypatch: pytest.MonkeyPatch):
    said: list[str] = []
    monkeypatch.setattr(debugging, "say", said.append)
    keep(NAME, DATA)
    assert kept(NAME) == DATA
    assert said == []
    (folder / NAME).chmod(0o606)
    kept(NAME)
    truncated(folder / NAME)
    (folder / NAME).chmod(0o600)
    kept(NAME)
    folder.chmod(0o777)
    kept(NAME)
    assert [text.partition(":")[0] for text in said] == [
        "not used, as others may have written it",
        "not used, as it is not whole",
        "not used, as others may write into it",
    ]


def test_without_a_home_nothing_is_kept_and_nothing_fails(monkeypatch: pytest.MonkeyPatch):
    def homeless(_: type[Path]) -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("RUNBOOK_CACHE", raising=False)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(Path, "home", classmethod(homeless))
    keep(NAME, DATA)
    assert kept(NAME) is None


@pytest.mark.parametrize("place", ["/proc/runbook", "/dev/null/runbook"])
def test_where_nothing_can_be_written_nothing_is_kept_and_nothing_fails(place: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("RUNBOOK_CACHE", place)
    keep(NAME, DATA)
    assert kept(NAME) is None


def listed(**variables: str) -> subprocess.CompletedProcess[str]:
    """What `runbook --debug list ha` says with these variables in place of one's own."""
    own = {name: value for name, value in os.environ.items() if name not in {"RUNBOOK_CACHE", "XDG_CACHE_HOME"}}
    command = [sys.executable, "-m", "runbook", "--debug", "list", "ha"]
    return subprocess.run(command, env=own | variables, capture_output=True, text=True, timeout=800, check=True)


@pytest.mark.parametrize("variables", [{"HOME": "/proc"}, {"HOME": "/dev/null"}, {"XDG_CACHE_HOME": "/proc/self/fd"}])
def test_a_command_works_where_its_home_can_t_be_written(variables: dict[str, str], tmp_path: Path):
    wanted = [listed(XDG_CACHE_HOME=str(tmp_path)) for _ in range(2)]  # made anew, and what was kept
    assert wanted[0].stderr == wanted[1].stderr == ""
    assert (tmp_path / "runbook" / "kept").is_dir()
    found = listed(**variables)
    assert found.stdout == wanted[0].stdout == wanted[1].stdout != ""
    assert "not kept" in found.stderr


def test_a_full_disk_leaves_no_halves(folder: Path, monkeypatch: pytest.MonkeyPatch):
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    keep(NAME, DATA)
    with monkeypatch.context() as disk:
        disk.setattr(os, "replace", full)
        keep(NAME, b"made anew")
    assert [file.name for file in folder.iterdir()] == [NAME]
    assert kept(NAME) == DATA


def test_the_oldest_are_taken_away(folder: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(kept_files, "_MOST", 3)
    for age, text in enumerate("abcde"):
        name = name_of("thing", ["model"], text)
        keep(name, DATA)
        os.utime(folder / name, (age, age))
    assert {file.name for file in folder.iterdir()} == {name_of("thing", ["model"], text) for text in "cde"}


def test_what_a_wheel_ships_comes_first_if_it_is_whole(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(kept_files, "SHIPPED", tmp_path)
    keep(NAME, DATA)
    (tmp_path / NAME).write_bytes(sealed(NAME, b"shipped"))
    assert kept(NAME) == b"shipped"
    truncated(tmp_path / NAME)
    assert kept(NAME) == DATA
    assert folder.is_dir()

"""Records of walks on disk: begun, added to, opened again, found."""

import os
import signal
from pathlib import Path

import pytest
from msgspec.structs import replace

from runbook.model.errors import UsageError
from runbook.procedure.walk_file import WalkFile, begun_as, find, kept, load, walks_home
from runbook.procedure.walk_record import Skipped
from runbook.run.sources import secret_references
from runbook.safety.secret import HIDDEN
from support.small_walks import AT, BEFORE, BEGUN, WHOLE, written


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """The record of a walk that was left after its first gate."""
    path = tmp_path / "w.jsonl"
    with WalkFile.begin(path, "w") as file:
        file.append(BEGUN)
        file.append(BEFORE)
    return path


def test_what_is_added_is_in_the_file_at_once(tmp_path: Path):
    path = tmp_path / "new" / "w.jsonl"
    with WalkFile.begin(path, "w") as file:
        for number, entry in enumerate(WHOLE, 1):
            file.append(entry)
            assert load(path).entries == WHOLE[:number]
    assert path.read_bytes() == written(WHOLE)
    assert load(path).fault is None


def test_a_record_is_its_owners_alone(record: Path):
    """It tells who does what to which platform; whatever the umask allows."""
    assert record.stat().st_mode & 0o777 == 0o600


def test_a_record_is_gone_on_with_where_it_was(record: Path):
    file, record_read = WalkFile.reopen(record)
    with file:
        assert record_read.entries == [BEGUN, BEFORE]
        for entry in WHOLE[2:]:
            file.append(entry)
    assert record.read_bytes() == written(WHOLE)


def test_a_line_that_a_crash_cut_off_is_removed_before_anything_is_added(record: Path):
    whole = record.read_bytes()
    record.write_bytes(whole + b'{"at": "2026-11-22T02:0')
    assert load(record).cut > 0
    file, record_read = WalkFile.reopen(record)
    with file:
        assert record_read.cut > 0
        file.append(WHOLE[2])
    assert record.read_bytes() == written(WHOLE[:3])


def test_a_record_that_was_changed_is_not_added_to(record: Path):
    record.write_bytes(record.read_bytes().replace(b"ada", b"eve"))
    with pytest.raises(UsageError, match=r"line 1: .*Nothing is added to it"):
        WalkFile.reopen(record)


def test_two_processes_do_not_walk_one_record(record: Path):
    file, _ = WalkFile.reopen(record)
    with file, pytest.raises(UsageError, match="is being walked by another process"):
        WalkFile.reopen(record)
    WalkFile.reopen(record)[0].__exit__(None, None, None)


def test_a_record_that_is_there_is_not_begun_again(record: Path):
    before = record.read_bytes()
    with pytest.raises(UsageError, match=r"exists: name another file, or go on with it: --resume"):
        WalkFile.begin(record, "other")
    assert record.read_bytes() == before


def test_a_place_where_nothing_can_be_made_is_said_with_the_remedy(tmp_path: Path):
    (tmp_path / "blocked").write_text("", "utf-8")
    with pytest.raises(UsageError, match="--record names another place"):
        WalkFile.begin(tmp_path / "blocked" / "w.jsonl", "w")


def test_a_full_disk_is_said_and_what_is_there_stays(record: Path, monkeypatch: pytest.MonkeyPatch):
    file, _ = WalkFile.reopen(record)

    def full(_: int, __: bytes) -> int:
        raise OSError(28, "No space left on device")

    with file:
        before = record.read_bytes()
        monkeypatch.setattr(os, "write", full)
        with pytest.raises(UsageError, match=r"No space left on device; make room, then go on"):
            file.append(WHOLE[2])
        monkeypatch.undo()
        assert record.read_bytes() == before
        file.append(WHOLE[2])
    assert record.read_bytes() == written(WHOLE[:3])


def test_an_interrupt_while_a_line_is_written_leaves_the_line_whole(record: Path, monkeypatch: pytest.MonkeyPatch):
    # Whoever starts tests in the background hands down that it is ignored; a terminal does not.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    file, _ = WalkFile.reopen(record)
    write = os.write

    def interrupted(descriptor: int, text: bytes) -> int:
        signal.raise_signal(signal.SIGINT)
        return write(descriptor, text)

    with file:
        monkeypatch.setattr(os, "write", interrupted)
        with pytest.raises(KeyboardInterrupt):
            file.append(WHOLE[2])
        monkeypatch.undo()
        file.append(WHOLE[3])
    signal.signal(signal.SIGINT, before)
    assert load(record).fault is None
    assert load(record).entries == WHOLE[:4]


def test_what_a_person_types_goes_on_the_record_without_secrets(record: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(secret_references, "_followed", {"hunter22-of-the-cluster"})
    file, _ = WalkFile.reopen(record)
    with file:
        file.append(Skipped("step 1", "ada", AT, "hunter22-of-the-cluster is wrong, and so is password=letmein99"))
    text = record.read_text("utf-8")
    assert "hunter22" not in text
    assert "letmein99" not in text
    assert load(record).fault is None


@pytest.mark.parametrize(
    "password", ["before", "step", "pass", "fail", "reason", "moved", "small", "all-is-well", "high"]
)
def test_a_password_that_is_called_as_a_word_of_the_format_breaks_no_record(
    password: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(secret_references, "_followed", {password})
    path = tmp_path / "w.jsonl"
    with WalkFile.begin(path, "w") as file:
        for entry in WHOLE:
            file.append(entry)
        file.append(Skipped("step 1", "ada", AT, f"{password} is wrong"))
    *kept_, typed = load(path).entries
    assert [type(entry) for entry in kept_] == [type(entry) for entry in WHOLE]
    assert [getattr(entry, "stage", "") for entry in kept_] == [getattr(entry, "stage", "") for entry in WHOLE]
    assert [seen.outcome for entry in kept_ for seen in getattr(entry, "seen", [])] == [
        seen.outcome for entry in WHOLE for seen in getattr(entry, "seen", [])
    ]
    assert isinstance(typed, Skipped)
    assert typed.reason == f"{HIDDEN} is wrong"


def test_walks_are_found_by_file_by_id_or_by_its_beginning(record: Path):
    for word in (str(record), "w"):
        assert find(word, record.parent) == record
    with pytest.raises(UsageError, match=r"no walk v in .*runbook procedure walks"):
        find("v", record.parent)


def test_the_beginning_of_two_ids_is_not_enough(record: Path):
    record.with_name("x.jsonl").write_bytes(written(WHOLE))
    with pytest.raises(UsageError, match="begins the ids of 2 walks"):
        find("w", record.parent)


def test_files_that_are_no_records_are_not_listed(record: Path):
    record.with_name("notes.jsonl").write_text("{}\n", "utf-8")
    assert [path for path, _ in kept(record.parent)] == [record]


@pytest.mark.parametrize("content", [b"", b"\xff\n", b"{}\n"])
def test_what_is_no_record_is_refused_by_name(tmp_path: Path, content: bytes):
    (tmp_path / "a.jsonl").write_bytes(content)
    with pytest.raises(UsageError, match=r"a\.jsonl is no record of a walk"):
        load(tmp_path / "a.jsonl")


def test_a_walk_goes_on_through_the_procedure_it_began_only(record: Path):
    assert begun_as(load(record), "d", BEGUN.title) == BEGUN
    with pytest.raises(UsageError, match=r"small/move has changed since .*\(small 1\.0\.0\)"):
        begun_as(load(record), "another", BEGUN.title)


def test_a_walk_does_not_go_on_to_what_another_title_says(record: Path):
    with pytest.raises(UsageError, match=r'small/move has changed since .*; its title was "Move it": go on'):
        begun_as(load(record), "d", "Move it away")


def test_a_title_that_was_hidden_in_part_is_not_taken_for_another(tmp_path: Path):
    title = "Move it, with password=hunter2-hunter2"
    with WalkFile.begin(tmp_path / "w.jsonl", "w") as file:
        file.append(replace(BEGUN, title=title))
    record = load(tmp_path / "w.jsonl")
    assert record.begun.title != title
    assert begun_as(record, "d", title) == record.begun


def test_records_are_in_the_users_state_folder(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("XDG_STATE_HOME", "/var/state")
    assert walks_home() == Path("/var/state/runbook/walks")
    monkeypatch.setenv("XDG_STATE_HOME", "relative")
    assert walks_home() == Path.home() / ".local/state/runbook/walks"

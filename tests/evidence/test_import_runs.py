import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from runbook.evidence.import_runs import import_runs
from runbook.evidence.store import NotKept, StoredFile, keep_run, run_files
from runbook.stores.folder import Folder
from support.kept_runs import kept_run


class Offered:
    """A store that offers what it was told to, as a topic may."""

    name = "offered"
    at_once = 1

    def __init__(self, *found: StoredFile) -> None:
        self.found = found

    def write(self, path: str, content: bytes) -> None:
        """Nothing is ever written into a source."""
        raise AssertionError(path, content)

    def sizes(self) -> dict[str, int]:
        """What it offers."""
        return {stored.path: len(stored.content) for stored in self.found}

    def read(self, wanted: Callable[[str, int], bool]) -> Iterator[StoredFile]:
        """Offer it."""
        yield from (stored for stored in self.found if stored.trouble or wanted(stored.path, len(stored.content)))


class Together:
    """A store that writes nothing before so many files came at once; it refuses one."""

    name = "together"

    def __init__(self, at_once: int, refused: str = "") -> None:
        self.at_once = at_once
        self.kept: dict[str, bytes] = {}
        self._refused = refused
        self._barrier = threading.Barrier(at_once)

    def write(self, path: str, content: bytes) -> None:
        """Keep a file once the others are there."""
        self._barrier.wait(10)
        if path == self._refused:
            raise NotKept(f"{path} could not be written: quota exceeded; nothing of it is kept")
        self.kept[path] = content

    def sizes(self) -> dict[str, int]:
        """What it holds."""
        return {path: len(content) for path, content in self.kept.items()}

    def read(self, wanted: Callable[[str, int], bool]) -> Iterator[StoredFile]:
        """Nothing is read from it."""
        raise AssertionError(wanted)


[(PATH, CONTENT)] = run_files(kept_run())


def test_a_second_time_nothing_is_left_to_do(tmp_path: Path) -> None:
    source, target = Folder(tmp_path / "a"), Folder(tmp_path / "b")
    for number in range(3):
        keep_run(source, kept_run("prod", "test", number=number))
    first = import_runs(source, target)
    assert (sorted(first.written), first.present, first.left) == (sorted(source.sizes()), 0, [])
    again = import_runs(source, target)
    assert (again.written, again.present, again.left) == ([], 6, [])
    assert [stored.content for stored in target.read(lambda *_: True)] == [
        stored.content for stored in source.read(lambda *_: True)
    ]


def test_what_is_changed_incomplete_or_misplaced_is_left_and_named(tmp_path: Path) -> None:
    changed = CONTENT.replace(b'"outcome":"fail","over', b'"outcome":"pass","over')
    outside = "../../" + PATH
    landed = import_runs(
        Offered(
            StoredFile(PATH, changed),
            StoredFile(outside, CONTENT),
            StoredFile("the key 'x'", trouble="incomplete: 1 lines"),
        ),
        Folder(tmp_path),
    )
    assert landed.written == []
    assert [name for name, _ in landed.left] == [PATH, outside, "the key 'x'"]
    assert landed.left[0][1] == "line 3: changed after it was written"
    assert list(tmp_path.rglob("*")) == []


def test_another_file_of_that_name_is_never_overwritten(tmp_path: Path) -> None:
    target = Folder(tmp_path)
    target.write(PATH, b"something else")
    landed = import_runs(Offered(StoredFile(PATH, CONTENT)), target)
    assert landed.written == []
    assert "another file there, of 14 bytes" in landed.left[0][1]
    assert (tmp_path / PATH).read_bytes() == b"something else"


def test_the_same_run_sent_twice_lands_once(tmp_path: Path) -> None:
    landed = import_runs(Offered(StoredFile(PATH, CONTENT), StoredFile(PATH, CONTENT)), Folder(tmp_path))
    assert (landed.written, landed.present, landed.left) == ([PATH], 1, [])


def test_as_many_are_written_at_once_as_the_store_takes(tmp_path: Path) -> None:
    source = Folder(tmp_path)
    for number in range(6):
        keep_run(source, kept_run(number=number))
    target = Together(3)
    assert import_runs(source, target).written == [*source.sizes()]
    assert target.sizes() == source.sizes()


def test_a_store_that_refuses_one_of_several_is_said_so_and_is_given_no_more(tmp_path: Path) -> None:
    source = Folder(tmp_path)
    for number in range(6):
        keep_run(source, kept_run(number=number))
    first, *_ = source.sizes()
    target = Together(2, refused=first)
    with pytest.raises(NotKept, match="quota exceeded"):
        import_runs(source, target)
    assert len(target.kept) <= 1

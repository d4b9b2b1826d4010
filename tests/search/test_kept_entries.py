import os
from pathlib import Path

import pytest

from runbook.parse.runbook import Runbook, read_runbook
from runbook.plugins.content import builtin_runbooks
from runbook.search import kept_entries as module
from runbook.search.entries import entries_of
from runbook.search.index import Index
from runbook.search.kept_entries import kept_entries, name_for, pack

BOOKS = [read_runbook(file, origin="built-in") for file in sorted(builtin_runbooks().glob("*.md"))]
ASKED = ["NotEnoughReplicasException", "IOException: no space left", "brokers are down", "hgih lag", "zookeeper"]


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of this test's own."""
    monkeypatch.setenv("RUNBOOK_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache" / "kept"


def test_what_is_kept_finds_the_same_and_is_read_once(monkeypatch: pytest.MonkeyPatch):
    read: list[str] = []

    def counted(book: Runbook) -> object:
        read.append(book.name)
        return entries_of(book)

    monkeypatch.setattr(module, "entries_of", counted)
    wanted = [Index(BOOKS).search(text) for text in ASKED]
    assert all(wanted)
    for _ in range(2):
        index = Index(BOOKS, kept_entries)
        assert [index.search(text) for text in ASKED] == wanted
    assert read == [book.name for book in BOOKS]


def test_one_s_own_runbook_of_the_same_text_is_another(tmp_path: Path):
    book = BOOKS[0]
    file = tmp_path / f"{book.name}.md"
    file.write_bytes((builtin_runbooks() / file.name).read_bytes())
    own = read_runbook(file)
    assert own.digest == book.digest
    assert not any(entry.ours for entry in kept_entries(book))
    assert all(entry.ours for entry in kept_entries(own))


@pytest.mark.parametrize(
    "damage", [b"", b"\xc1", b"\x91\x91\x01", os.urandom(1000)], ids=["empty", "type", "form", "random"]
)
def test_damage_costs_time_only(damage: bytes):
    book = BOOKS[0]
    module.keep(name_for(book), damage)
    assert [*kept_entries(book)] == [*entries_of(book)]


def test_the_same_places_are_the_same_bytes():
    assert pack([*entries_of(BOOKS[0])]) == pack([*entries_of(BOOKS[0])])

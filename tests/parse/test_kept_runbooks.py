import os
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from runbook.model.block import Check
from runbook.model.errors import Invalid
from runbook.parse import kept_runbooks, runbook
from runbook.parse.kept_runbooks import _digest, _kept, name_for, pack, read_kept
from runbook.parse.runbook import LocatedBlock, Prose, Runbook, read_runbook
from runbook.plugins.content import builtin_runbooks
from runbook.plugins.kept_files import keep

BUILT_IN = sorted(builtin_runbooks().glob("*.md"))


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of this test's own."""
    monkeypatch.setenv("RUNBOOK_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache" / "kept"


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files that are parsed."""
    files: list[str] = []
    parse = kept_runbooks.parse_runbook

    def counted(text: str, name: str, file: str, **options: object) -> Runbook:
        files.append(file)
        return parse(text, name, file, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(kept_runbooks, "parse_runbook", counted)
    return files


def same(one: Runbook, other: Runbook) -> None:
    """Whether two runbooks say the same, and everything of them stands at the same places."""
    assert (one.name, one.path, one.origin, one.front) == (other.name, other.path, other.origin, other.front)
    assert (one.digest, one.amendments, one.own, one.base) == (other.digest, other.amendments, other.own, other.base)
    assert one.head.start == other.head.start
    assert len(one.parts) == len(other.parts)
    for mine, theirs in zip(one.parts, other.parts, strict=True):
        if isinstance(mine, Prose) or isinstance(theirs, Prose):
            assert mine == theirs
            continue
        assert (mine.block, mine.name, mine.digest()) == (theirs.block, theirs.name, theirs.digest())
        assert (mine.source.start, [*mine.source.lost]) == (theirs.source.start, [*theirs.source.lost])


@pytest.mark.parametrize("file", BUILT_IN, ids=lambda file: file.stem)
def test_what_is_kept_is_what_is_parsed(file: Path, parsed: list[str]):
    from_source = read_runbook(file, origin="built-in", shown="shown.md")
    same(read_kept(file, origin="built-in", shown="shown.md"), from_source)
    again = read_kept(file, origin="built-in", shown="shown.md")
    same(again, from_source)
    assert parsed == ["shown.md"]  # once
    assert again.head.whole() == from_source.head
    for mine, theirs in zip(again.placed(), from_source.placed(), strict=True):
        assert mine.document == theirs.document
    assert parsed == ["shown.md"] * 2  # for all places


def own(folder: Path, text: str = "") -> Path:
    file = folder / "ours.md"
    file.write_text(text or BUILT_IN[0].read_text("utf-8"), "utf-8")
    return file


def test_a_text_that_changed_is_parsed(tmp_path: Path, parsed: list[str]):
    file = own(tmp_path)
    before = read_kept(file)
    text = file.read_text("utf-8")
    title = before.checks()[0].block.title
    own(tmp_path, text.replace(title, "Another title"))
    assert read_kept(file).checks()[0].block.title == "Another title"
    assert len(parsed) == 2


def test_mistakes_are_never_kept(tmp_path: Path, parsed: list[str], cache: Path):
    file = own(tmp_path, BUILT_IN[0].read_text("utf-8").replace("consequence: ", "consequense: ", 1))
    told = []
    for _ in range(2):
        with pytest.raises(Invalid) as raised:
            read_kept(file)
        told.append(str(raised.value))
    assert told[0] == told[1] != ""
    assert len(parsed) == 2
    assert not cache.exists()


def test_a_runbook_that_extends_another_is_parsed_each_time(tmp_path: Path, parsed: list[str]):
    extends = f"\nextends: {BUILT_IN[0].stem}\ntitle: "
    file = own(tmp_path, BUILT_IN[0].read_text("utf-8").replace("\ntitle: ", extends, 1))
    assert read_kept(file).front.extends
    assert read_kept(file).front.extends
    assert len(parsed) == 2


def lenient(book: Runbook) -> bytes:
    """What would be kept of a runbook whose checks are all of the lowest severity, and expect nothing."""
    data = msgspec.msgpack.decode(pack(book))
    for part in data[2]:
        if part[2]:
            part[2] |= {"severity": "info", "expect": {"each": "nothing", "that": "true"}}
    return msgspec.msgpack.encode(data)


def planted_by_another_user(file: Path) -> None:
    if os.geteuid() == 0:
        os.chown(file, 12345, -1)
    else:
        file.chmod(0o646)


def planted_for_all(file: Path) -> None:
    file.chmod(0o666)


def planted_in_a_link(file: Path) -> None:
    file.rename(file.with_name("theirs"))
    file.symlink_to(file.with_name("theirs"))


@pytest.mark.parametrize("plant", [planted_by_another_user, planted_for_all, planted_in_a_link])
def test_what_others_planted_changes_nothing(plant: Callable[[Path], None], cache: Path, tmp_path: Path):
    file = own(tmp_path)
    book = read_runbook(file)
    name = name_for(file.read_text("utf-8"))
    keep(name, lenient(book))
    assert read_kept(file).checks()[0].digest() != book.checks()[0].digest()  # one's own would be believed
    plant(cache / name)
    same(read_kept(file), book)


@pytest.mark.parametrize("damage", ["truncated", "garbage", "of another text", "of another form", "no message"])
def test_what_is_damaged_changes_nothing(damage: str, cache: Path, tmp_path: Path):
    file = own(tmp_path)
    book = read_runbook(file)
    text = file.read_text("utf-8")
    keep(name_for(text), lenient(book))
    kept = cache / name_for(text)
    match damage:
        case "truncated":
            kept.write_bytes(kept.read_bytes()[:-100])
        case "garbage":
            kept.write_bytes(os.urandom(10_000))
        case "of another text":
            keep(name_for(f"{text}\n"), lenient(book))
            (cache / name_for(f"{text}\n")).rename(kept)
        case "of another form":
            keep(name_for(text), msgspec.msgpack.encode([{"title": 3}, 2, []]))
        case _:
            keep(name_for(text), b"\xc1 no message")
    same(read_kept(file), book)


def test_what_is_kept_by_other_code_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    file = own(tmp_path)
    read_kept(file)
    text = file.read_text("utf-8")
    assert _kept(text) is not None
    monkeypatch.setattr(kept_runbooks, "ROOMS", ("model", "parse"))
    assert _kept(text) is None


def test_every_field_of_what_is_kept_is_looked_at(tmp_path: Path):
    file = own(tmp_path)
    data = msgspec.msgpack.decode(pack(read_runbook(file)))
    checks = [part[2] for part in data[2] if part[2]]
    checks[0]["id"] = "Not An Id"
    keep(name_for(file.read_text("utf-8")), msgspec.msgpack.encode(data))
    same(read_kept(file), read_runbook(file))


def test_the_digest_is_that_of_the_parser(tmp_path: Path):
    file = own(tmp_path)
    text = runbook.read_text(file, "ours.md")
    assert _digest(text) == read_runbook(file).digest


def test_a_kept_block_says_where_a_mistake_stands(tmp_path: Path):
    file = own(tmp_path)
    read_kept(file)
    placed: LocatedBlock = read_kept(file).checks()[0]
    assert isinstance(placed.block, Check)
    there = placed.document.place(("expect",))
    assert there.file == str(file)
    assert there.line > placed.source.start.line

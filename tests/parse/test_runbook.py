import json
import time
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import convert, defstruct, to_builtins
from msgspec.structs import replace

from runbook.model.errors import Invalid, Problem
from runbook.parse.runbook import (
    MAX_BLOCKS,
    MAX_BYTES,
    LocatedBlock,
    Prose,
    Runbook,
    parse_runbook,
    read_runbook,
    read_text,
)
from support.proportion import grows_in_proportion
from support.small_runbooks import FRONT, check_text, small_runbook

CHECK = "facts: {topic: {probe: kafka_topic}}\nexpect: {each: topic, that: topic.partitions > 0}"


def problems(text: str) -> list[Problem]:
    with pytest.raises(Invalid) as caught:
        parse_runbook(text, "small", "small.md")
    return list(caught.value.problems)


def test_prose_and_blocks_keep_their_order_and_their_lines() -> None:
    text = FRONT + "# Title\n\nWords.\n\n" + check_text(CHECK) + "\nMore words.\n"
    parts = parse_runbook(text, "small", "small.md").parts
    assert [type(part) for part in parts] == [Prose, LocatedBlock, Prose]
    first, block, last = parts
    assert isinstance(first, Prose)
    assert isinstance(block, LocatedBlock)
    assert isinstance(last, Prose)
    assert (first.text, first.line) == ("# Title\n\nWords.", 7)
    assert block.document.place(("id",)).line == 12
    assert last.text == "More words."


@pytest.mark.parametrize("separator", ["\x0b", "\x0c", "\x85", "\u2028", "\r\n", "\r"])
def test_other_line_separators_move_no_block(separator: str) -> None:
    text = FRONT + f"one{separator}two\n\n" + check_text(CHECK) + "\nlast\n"
    parts = parse_runbook(text, "small", "small.md").parts
    assert [part.text for part in parts if isinstance(part, Prose)][1:] == ["last"]


def test_a_file_with_windows_line_ends_is_read_as_any_other() -> None:
    text = FRONT + "words\n\n" + check_text(CHECK)
    unix, windows = (parse_runbook(t, "small", "small.md") for t in (text, text.replace("\n", "\r\n")))
    assert [placed.digest() for placed in unix.placed()] == [placed.digest() for placed in windows.placed()]
    assert unix.parts[0] == windows.parts[0]


def test_fences_of_other_kinds_are_prose() -> None:
    text = FRONT + '```yaml\nid: x\n```\n\n```text {.wide}\nhello\n```\n\n```json {"a"}\n{}\n```\n'
    with pytest.raises(Invalid, match="can't read the attributes"):
        parse_runbook(text, "small", "small.md")
    [prose] = parse_runbook(text.partition("```json")[0], "small", "small.md").parts
    assert isinstance(prose, Prose)


def test_a_block_in_a_list_is_placed_where_it_stands() -> None:
    block = check_text(CHECK.replace("expect", "exepct"))
    text = FRONT + "1. step\n\n" + "".join(f"   {line}\n" for line in block.splitlines())
    found = {problem.message: (problem.place.line, problem.place.column) for problem in problems(text)}
    assert found['unknown field "exepct" in check'] == (14, 4)


def test_a_misspelt_kind_of_block_is_a_mistake() -> None:
    [problem] = problems(FRONT + "```yaml {.chek}\nid: x\n```\n")
    assert str(problem) == (
        "small.md:7:1  unknown kind of block .chek\n"
        "    did you mean check? known: amend, cause, check, diagnostic, effect, procedure"
    )


@pytest.mark.parametrize(
    ("front", "said"),
    [
        ("", "no front matter"),
        ("---\ntitle: x", "the front matter does not end"),
        ("\n---\ntitle: x\n---\n", "no front matter"),
        ("---\n---\n", "front matter: nothing stands here; it should be a mapping, as in {name: value}"),
        (
            FRONT.replace("version: 1.0.0\n", "version: 1.0\n", 1),
            'version: 1.0 should be a text: put it in quotes, as in "0.1.0"',
        ),
        (FRONT.replace("version: 1.0.0\n", 'version: "0.1"\n', 1), "version: '0.1' does not match the form of 0.1.0"),
        (FRONT.replace("title", "titel"), 'unknown field "titel" in front matter'),
        (FRONT.replace("2026-11-21", "yesterday"), "'yesterday' does not match"),
        (FRONT.replace("title: A small runbook", "title: [a"), "not valid YAML"),
        (FRONT.replace("title: A small runbook", "title: a\ntitle: b"), 'duplicate key "title"'),
    ],
)
def test_mistakes_of_the_front_matter_are_placed(front: str, said: str) -> None:
    found = problems(front + "\n# Title\n")
    assert said in " ".join(problem.message for problem in found)
    assert all(1 <= problem.place.line <= 8 for problem in found)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ("", 'front matter lacks "changes"\n    add changes: [{version: 0.1.0, date: 2026-01-31, note: …}] ('),
        ("changes: first\n", "'first' should be a list, as in [{version: 0.1.0, date: 2026-01-31, note: …}]"),
        ("changes: [0.1.0]\n", "'0.1.0' should be a mapping, as in {version: 0.1.0, date: 2026-01-31, note: …}"),
        ("changes: [{version: 0.1.0, date: 26.11.2026, note: one}]\n", "does not match the form of 2026-01-31"),
    ],
)
def test_how_a_version_is_written_is_told_whole(changes: str, said: str) -> None:
    [problem] = problems(f"---\ntitle: A title\nversion: 0.1.0\n{changes}---\n\n# Title\n")
    assert said in str(problem)


def test_duplicate_ids_are_named_with_both_places() -> None:
    [problem] = problems(FRONT + check_text(CHECK) + check_text(CHECK))
    assert (problem.message, problem.remedy) == ('duplicate id "any"', "it stands already in line 8")
    assert problem.place.line == 15


def test_all_mistakes_of_a_file_come_at_once_in_its_order() -> None:
    bad = check_text(CHECK, severity="hihg")
    text = FRONT.replace("title:", "titel:") + bad + "```yaml {.diagnostic}\nid: x y\n```\n" + check_text("facts: [")
    lines = [problem.place.line for problem in problems(text)]
    assert lines == sorted(lines)
    assert {2, 10}.issubset(lines)
    assert max(lines) > 18


def test_the_digest_of_a_check_is_of_what_decides_its_verdict() -> None:
    def digest(**fields: str) -> str:
        [placed] = small_runbook(check_text(CHECK, **fields)).checks()
        return placed.digest()

    assert digest(title="Other words", remedy="do it", audit="x", effect="bad", sources="[a]") == digest()
    assert len({digest(), digest(severity="low"), digest(labels="{tier: [prod]}"), digest(objectives="[latency]")}) == 4


def test_what_is_left_out_is_no_part_of_a_digest() -> None:
    """So a field that a later version adds, or one that is written as it would be anyway, changes no digest."""
    [placed] = small_runbook(check_text(CHECK)).checks()
    [check] = small_runbook(check_text(CHECK, over="environment", objectives="[]", labels="{}")).checks()
    fields = defstruct("Later", [("later", str, "")], bases=(type(placed.block),), frozen=True)
    later = convert(to_builtins(placed.block), fields)
    assert check.digest() == placed.digest() == replace(placed, block=later).digest()


def test_a_step_without_a_why_or_an_effort_keeps_the_digest_of_its_procedure() -> None:
    """As it was before a step could say them: else walks of that time would read as of another procedure."""
    text = "```yaml {.procedure}\nid: wait\ntitle: Wait\nsteps: [{do: Wait., risk: None.}]\n```\n"
    [placed] = small_runbook(text).placed()
    fields = {"id": "wait", "steps": [{"do": "Wait.", "risk": "None."}]}
    assert placed.digest() == sha256(json.dumps(fields, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def test_the_digest_of_a_runbook_is_of_its_text() -> None:
    def made(text: str) -> Runbook:
        return parse_runbook(text, "small", "small.md")

    assert made(FRONT).digest == made(FRONT).digest != made(FRONT + "x").digest


def test_a_huge_file_is_refused_and_not_read(tmp_path: Path) -> None:
    file = tmp_path / "huge.md"
    with file.open("wb") as stream:
        stream.truncate(1 << 30)  # a gigabyte with no block on disk
    start = time.process_time()
    with pytest.raises(Invalid, match="larger than 2,000,000 bytes"):
        read_runbook(file)
    assert time.process_time() - start < 1


def test_a_device_without_end_is_refused() -> None:
    with pytest.raises(Invalid, match="larger than"):
        read_text(Path("/dev/zero"), "/dev/zero")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"\x7fELF\x02\x01\x00\x00", "holds a NUL character"),
        (b"line\n\xff\xfe\xfa", "x.md:2:1  not UTF-8 text"),
        (b"\x89PNG\r\n\x1a\n\x00", "not UTF-8 text"),
    ],
)
def test_a_binary_file_is_refused_with_the_line(tmp_path: Path, content: bytes, said: str) -> None:
    file = tmp_path / "x.md"
    file.write_bytes(content)
    with pytest.raises(Invalid) as caught:
        read_runbook(file, shown="x.md")
    assert said in str(caught.value)


def test_a_byte_order_mark_does_no_harm(tmp_path: Path) -> None:
    file = tmp_path / "small.md"
    file.write_bytes(b"\xef\xbb\xbf" + FRONT.encode())
    assert read_runbook(file).front.title == "A small runbook"


@pytest.mark.parametrize("path", ["missing.md", "."])
def test_what_can_not_be_read_is_said_so(tmp_path: Path, path: str) -> None:
    with pytest.raises(Invalid, match="can't be read: "):
        read_runbook(tmp_path / path)


def test_blocks_are_bounded() -> None:
    found = problems(FRONT + "```yaml {.check}\n```\n" * (MAX_BLOCKS + 1))
    assert found[-1].message == f"more than {MAX_BLOCKS:,} blocks"


HOSTILE = {
    "open brackets": ("[", 500_000),
    "stars": ("*a ", 300_000),
    "quotations": (">", 300_000),
    "lists": ("- ", 300_000),
    "back ticks": ("`", 500_000),
    "links": ("[a](", 200_000),
    "references": ("[a]: b\n", 40_000),
    "tables": ("|", 300_000),
    "angles": ("<a \n", 40_000),
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_markdown_is_read_in_time_in_proportion(kind: str) -> None:
    piece, times = HOSTILE[kind]
    assert len(piece) * times < MAX_BYTES
    assert grows_in_proportion(lambda size: parse_runbook(f"{FRONT}\n{piece * size}", "small", "small.md"), times)


PIECES = st.sampled_from(
    [
        "---\n",
        "```yaml {.check}\n",
        "```\n",
        "id: x\n",
        "title: t\n",
        "facts: {a: {probe: kafka_topic}}\n",
        "# h\n",
        "- ",
        "> ",
    ]
)


@given(st.lists(st.one_of(PIECES, st.text(max_size=20)), max_size=15).map("".join))
@settings(max_examples=300, deadline=None)
def test_any_text_is_a_runbook_or_refused(text: str) -> None:
    for candidate in (text, FRONT + text):
        try:
            parse_runbook(candidate, "any", "any.md")
        except Invalid as invalid:
            found = invalid.problems
        else:
            continue
        assert found
        assert all(problem.place.line >= 1 and problem.message for problem in found)

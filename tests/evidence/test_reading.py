"""Each kind of damage sets aside what it damaged, with its reason, and nothing else."""

from collections.abc import Callable, Iterable
from typing import Any

import pytest

from runbook.evidence.chain import chained, first_fault
from runbook.evidence.lines import ResultLine, RunLine
from runbook.evidence.reading import LARGEST, examine
from runbook.model.run import VERSION

RUN = "20270106T060000Z-000000000000"
PATH = f"runs/prod/2027-01-06/{RUN}.jsonl"
Lines = list[bytes]
Records = list[dict[str, Any]]


def _records() -> Records:
    about = {"run": RUN, "environment": "prod", "started_at": "2027-01-06T06:00:00Z", "trigger": "scheduled"}
    definition = {"severity": "high", "check_digest": "c1", "runbook": "ha", "runbook_version": "1.0.0"}
    run = {"kind": "run", "version": VERSION, "complete": True, "interrupted": False, "head": {"waivers": []}}
    verdict = {"kind": "result", "subject": "prod", "waived": False, "judged": 3, "failed": 0, "rows": [], "common": []}
    outcomes = {"ha/a": "pass", "ha/b": "fail", "ha/c": "unknown"}
    results = [
        about | verdict | definition | {"check": check, "outcome": said, "title": "it holds", "reason": f"says {said}"}
        for check, said in outcomes.items()
    ]
    expected = [definition | {"check": check} for check in outcomes]
    return [about | run | {"expected": expected}, *results, about | {"kind": "manifest", "records": 4}]


def _content(lines: Iterable[bytes]) -> bytes:
    return b"".join(line + b"\n" for line in lines)


def _found(content: bytes, path: str = PATH) -> list[tuple[int, str]]:
    return [(line.number, line.reason) for line in examine(content, path) if line.reason]


def _no_end(lines: int) -> str:
    return f"the end is missing: {lines} lines, and no manifest that counts them"


CHANGED = "it is not what was written there: changed, or a line before it dropped or moved"
NO_JSON = "it is no JSON object"
ORPHAN = "the first line of its run is missing or was set aside: what the run was for is not known"

DAMAGED: dict[str, tuple[Callable[[Lines], Lines], list[tuple[int, str]]]] = {
    "cut off": (lambda lines: [*lines[:3], lines[3][:100]], [(0, _no_end(4)), (4, NO_JSON)]),
    "changed": (lambda lines: [line.replace(b'"fail"', b'"pass"') for line in lines], [(3, CHANGED)]),
    "dropped": (lambda lines: lines[:1] + lines[2:], [(0, _no_end(4)), (2, CHANGED)]),
    "swapped": (lambda lines: [lines[0], lines[2], lines[1], *lines[3:]], [(2, CHANGED), (3, CHANGED), (4, CHANGED)]),
    "binary": (
        lambda lines: [*lines[:2], b"\xff\xfe\x00\x9c\x81", *lines[2:]],
        [(0, _no_end(6)), (3, NO_JSON), (4, CHANGED)],
    ),
    "not UTF-8": (lambda lines: [lines[0], lines[1].replace(b"says", b"s\xffys"), *lines[2:]], [(2, NO_JSON)]),
    "emptied": (lambda _: [], [(0, "the file is empty")]),
    "blank line": (lambda lines: [*lines, b""], [(0, _no_end(6)), (6, "the line is empty")]),
    "headless": (
        lambda lines: lines[1:],
        [(0, _no_end(4)), (1, CHANGED), (2, ORPHAN), (3, ORPHAN)],
    ),
}
"""What happened to the lines of a file -> what is found: line and reason."""


def _set(line: int, **fields: Any) -> Callable[[Records], None]:
    def change(records: Records) -> None:
        records[line - 1] |= fields

    return change


def _without(line: int, field: str) -> Callable[[Records], None]:
    def change(records: Records) -> None:
        del records[line - 1][field]

    return change


MISWRITTEN: dict[str, tuple[Callable[[Records], None], int, str]] = {
    "maybe": (_set(2, outcome="maybe"), 2, "outcome is maybe, not one of pass, fail, unknown, not_applicable"),
    "no outcome": (_without(2, "outcome"), 2, "it lacks outcome"),
    "null outcome": (_set(2, outcome=None), 2, "it lacks outcome"),
    "no check": (_set(2, check=""), 2, "it lacks check"),
    "a number": (_set(2, outcome=1), 2, "outcome is 1, not one of pass, fail, unknown, not_applicable"),
    "dire": (_set(2, severity="dire"), 2, "severity is dire, not one of info, low, medium, high, critical"),
    "kind": (_set(2, kind="rumour"), 2, "kind is rumour, not one of run, result, manifest"),
    "no kind": (_without(2, "kind"), 2, "kind is not given, not one of run, result, manifest"),
    "elsewhere": (_set(2, environment="stage"), 2, "its environment is not the one it is filed under"),
    "other run": (_set(2, run="2027"), 2, "its run is not the one it is filed under"),
    "no time": (
        _set(1, started_at="2027-02-30T00:00:00Z"),
        1,
        "started_at is 2027-02-30T00:00:00Z, which is no UTC time",
    ),
    "local time": (_set(1, started_at="2027-01-06 06:00"), 1, "started_at is 2027-01-06 06:00, which is no UTC time"),
    "other day": (
        _set(1, started_at="2027-01-05T06:00:00Z"),
        1,
        "it is filed under the day 2027-01-06, and began on 2027-01-05",
    ),
    "trigger": (_set(1, trigger="boredom"), 1, "trigger is boredom, not one of scheduled, manual, incident, ci"),
    "newer": (
        _set(1, version=VERSION + 1, expected="in another shape"),
        1,
        f"it is of format {VERSION + 1}, and this tool reads formats up to {VERSION}: install a newer release of it",
    ),
    "expected": (
        _set(1, expected=[{"check": "ha/a", "severity": "dire"}]),
        1,
        "an expected check lacks its name, runbook, severity or digest",
    ),
    "no expected": (_without(1, "expected"), 1, "it lacks expected"),
}
"""A record that someone wrote wrong, with a sound chain; its line; what is found."""


@pytest.mark.parametrize("damage", DAMAGED)
def test_damage_is_found_at_its_line(damage: str) -> None:
    change, found = DAMAGED[damage]
    assert _found(_content(change(list(chained(_records()))))) == found


@pytest.mark.parametrize("what", MISWRITTEN)
def test_a_miswritten_record_is_found_at_its_line(what: str) -> None:
    change, line, reason = MISWRITTEN[what]
    records = _records()
    change(records)
    assert (line, reason) in _found(_content(chained(records)))


@pytest.mark.parametrize(
    ("fields", "place"),
    [({"judged": "many"}, "$.judged"), ({"rows": "none"}, "$.rows"), ({"judged": 2**70}, "$.judged")],
)
def test_a_field_of_another_type_is_named(fields: dict[str, Any], place: str) -> None:
    records = _records()
    records[1] |= fields
    ((line, reason),) = _found(_content(chained(records)))
    assert line == 2
    assert reason.startswith("a field is of another type: ")
    assert place in reason


def test_nothing_is_wrong_with_what_is_as_it_was_written() -> None:
    lines = list(examine(_content(chained(_records())), PATH))
    assert [line.reason for line in lines] == [""] * 5
    assert isinstance(lines[0].record, RunLine)
    assert lines[0].record.scored
    assert isinstance(lines[1].record, ResultLine)


def test_a_file_of_the_first_version_was_measured_and_declares_no_waivers() -> None:
    records = _records()
    records[0]["version"] = 1
    del records[0]["head"]
    first = next(examine(_content(chained(records)), PATH)).record
    assert isinstance(first, RunLine)
    assert (first.generated, first.head.waivers) == (False, [])


def test_a_field_that_a_later_release_adds_is_no_fault() -> None:
    records = _records()
    records[0]["weather"] = "fair"
    records[1]["added"] = {"deep": [1]}
    assert _found(_content(chained(records))) == []


@pytest.mark.parametrize(
    "path", [PATH.replace("prod", "stage"), PATH.replace("2027-01-06/", "2027-01-07/"), "runs/stray.jsonl"]
)
def test_a_file_that_lies_elsewhere_is_set_aside_whole(path: str) -> None:
    lines = list(examine(_content(chained(_records())), path))
    assert not [line for line in lines if isinstance(line.record, RunLine | ResultLine)]
    assert all(line.reason for line in lines[:-1])


def test_a_run_is_named_by_the_day_it_began() -> None:
    other = RUN.replace("20270106", "20270105")
    records = [record | {"run": other} for record in _records()]
    reason = _found(_content(chained(records)), PATH.replace(RUN, other))[0][1]
    assert reason == f"its run is named {other}, which does not begin with 20270106, its day"


def test_a_file_too_large_for_a_run_is_not_read() -> None:
    (line,) = examine(None, PATH, LARGEST + 1)
    assert (line.number, line.record) == (0, None)
    assert line.reason.endswith("more than any run leaves: not read")


@pytest.mark.parametrize("damage", DAMAGED)
def test_who_verifies_the_chain_and_who_reads_lines_find_the_same_files_damaged(damage: str) -> None:
    lines = list(chained(_records()))
    assert first_fault(_content(lines)) is None
    assert [line.reason for line in examine(_content(lines), PATH) if line.reason] == []
    content = _content(DAMAGED[damage][0](lines))
    assert first_fault(content) is not None
    assert [line.reason for line in examine(content, PATH) if line.reason] != []


def test_a_line_that_is_no_longer_canonical_was_changed() -> None:
    lines = list(chained(_records()))
    lines[2] = lines[2].replace(b'"judged":3', b'"judged": 3')
    assert (3, CHANGED) in _found(_content(lines))


@pytest.mark.parametrize("kind", ["[]", "{}", "[[1]]", "7"])
def test_a_kind_that_is_no_word_is_set_aside_as_any_other(kind: str) -> None:
    [*_, (number, reason)] = _found(f'{{"kind":{kind}}}\n'.encode())
    assert (number, reason) == (1, f"kind is {kind}, not one of run, result, manifest")

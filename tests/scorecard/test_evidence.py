"""Each kind of damage sets aside what it damaged, with its reason, and nothing else."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from pyspark.sql import SparkSession

from runbook.engine.store import chained, verify_file
from runbook.scorecard import evidence

AT = "2027-01-06T06:00:00Z"
NEVER = "2027-02-30T00:00:00Z"
Lines = list[bytes]
Records = list[dict[str, Any]]


def _cut_off(lines: Lines) -> Lines:
    return [*lines[:3], lines[3][:100]]


def _changed(lines: Lines) -> Lines:
    return [line.replace(b'"outcome":"fail"', b'"outcome":"pass"') for line in lines]


def _dropped(lines: Lines) -> Lines:
    return lines[:1] + lines[2:]


def _swapped(lines: Lines) -> Lines:
    return [lines[0], lines[2], lines[1], *lines[3:]]


def _binary(lines: Lines) -> Lines:
    return [*lines[:2], b"\xff\xfe\x00\x9c\x81", *lines[2:]]


def _emptied(_: Lines) -> Lines:
    return []


def _not_utf8(lines: Lines) -> Lines:
    return [lines[0], lines[1].replace(b"says", b"s\xffys"), *lines[2:]]


def _blank_line(lines: Lines) -> Lines:
    return [*lines, b""]


def _no_end(lines: int) -> str:
    return f"the end is missing: {lines} lines, and no manifest that counts them"


CHANGED = "it is not what was written there: changed, or a line before it dropped or moved"
NO_JSON = "it is no JSON object, or a field in it is of another type"

DAMAGED: dict[str, tuple[Callable[[Lines], Lines], list[tuple[int, str]]]] = {
    "cut-off": (_cut_off, [(0, _no_end(4)), (4, NO_JSON)]),
    "changed": (_changed, [(3, CHANGED)]),
    "dropped": (_dropped, [(0, _no_end(4)), (2, CHANGED)]),
    "swapped": (_swapped, [(2, CHANGED), (3, CHANGED), (4, CHANGED)]),
    "binary": (
        _binary,
        [
            (0, _no_end(6)),
            (3, NO_JSON),
            (4, CHANGED),
        ],
    ),
    "not-utf-8": (_not_utf8, [(2, CHANGED)]),
    "emptied": (_emptied, [(0, "the file is empty")]),
    "blank-line": (
        _blank_line,
        [(0, _no_end(6)), (6, "the line is empty")],
    ),
}
"""Environment -> what happened to its file, and what is found: line and reason."""


def _set(line: int, **fields: Any) -> Callable[[Records], None]:
    def change(records: Records) -> None:
        records[line - 1] |= fields

    return change


def _without(line: int, field: str) -> Callable[[Records], None]:
    def change(records: Records) -> None:
        del records[line - 1][field]

    return change


def _unusable_expectation(records: Records) -> None:
    records[0]["expected"][0]["severity"] = "dire"


MISWRITTEN: dict[str, tuple[Callable[[Records], None], int, str]] = {
    "maybe": (_set(2, outcome="maybe"), 2, "outcome is maybe, not one of pass, fail, unknown, not_applicable"),
    "no-outcome": (_without(2, "outcome"), 2, "it lacks outcome"),
    "null-outcome": (_set(2, outcome=None), 2, "it lacks outcome"),
    "no-check": (_set(2, check=""), 2, "it lacks check"),
    "wrong-type": (_set(2, judged="many"), 2, NO_JSON),
    "wrong-rows": (_set(2, rows="none"), 2, NO_JSON),
    "number": (_set(2, outcome=1), 2, "outcome is 1, not one of pass, fail, unknown, not_applicable"),
    "dire": (_set(2, severity="dire"), 2, "severity is dire, not one of info, low, medium, high, critical"),
    "kind": (_set(2, kind="rumour"), 2, "kind is rumour, not one of run, result, manifest"),
    "no-kind": (_without(2, "kind"), 2, "kind is not given, not one of run, result, manifest"),
    "elsewhere": (_set(2, environment="prod"), 2, "its environment is not the one it is filed under"),
    "other-run": (_set(2, run="2027"), 2, "its run is not the one it is filed under"),
    "no-time": (
        _set(1, started_at="2027-02-30T00:00:00Z"),
        1,
        "started_at is 2027-02-30T00:00:00Z, which is no UTC time",
    ),
    "local-time": (_set(1, started_at="2027-01-06 06:00"), 1, "started_at is 2027-01-06 06:00, which is no UTC time"),
    "trigger": (_set(1, trigger="boredom"), 1, "trigger is boredom, not one of scheduled, manual, incident, ci"),
    "newer": (_set(1, version=3), 1, "it is of format 3, and this tool reads up to 2: renew the tool"),
    "expected": (_unusable_expectation, 1, "an expected check lacks its name, runbook, severity or digest"),
    "no-expected": (_without(1, "expected"), 1, "it lacks expected"),
}
"""Environment -> a record that someone wrote wrong, with a sound chain; its line; what is found."""


@pytest.fixture(scope="module")
def found(
    spark: SparkSession, tmp_path_factory: pytest.TempPathFactory, store_of: Callable[[Path], Any]
) -> dict[str, list[tuple[int, str]]]:
    """Environment -> what was found in its file."""
    store = store_of(tmp_path_factory.mktemp("damaged"))
    outcomes = {"ha/a": "pass", "ha/b": "fail", "ha/c": "unknown"}
    for environment, (damage, _) in DAMAGED.items():
        file = store.keep(environment, AT, outcomes)
        file.write_bytes(_joined(damage(file.read_bytes().splitlines())))
    for environment, (change, _, _) in MISWRITTEN.items():
        _rewrite(store.keep(environment, AT, outcomes), change)
    store.keep("sound", AT, outcomes)
    rows = evidence.read(spark, str(store.folder)).orderBy("file", "line").collect()
    return {
        environment: [
            (row["line"], row["reason"]) for row in rows if row["reason"] and f"runs/{environment}/" in row["file"]
        ]
        for environment in [*DAMAGED, *MISWRITTEN, "sound"]
    }


def _joined(lines: Iterable[bytes]) -> bytes:
    return b"".join(line + b"\n" for line in lines)


def _rewrite(file: Path, change: Callable[[Records], None]) -> None:
    records = [msgspec.json.decode(line) for line in file.read_bytes().splitlines()]
    for record in records:
        del record["chain"]
    change(records)
    file.write_bytes(_joined(chained(records)))


@pytest.mark.parametrize("environment", DAMAGED)
def test_damage_is_found_at_its_line(environment: str, found: dict[str, list[tuple[int, str]]]) -> None:
    assert found[environment] == DAMAGED[environment][1]


@pytest.mark.parametrize("environment", MISWRITTEN)
def test_a_miswritten_record_is_found_at_its_line(environment: str, found: dict[str, list[tuple[int, str]]]) -> None:
    _, line, reason = MISWRITTEN[environment]
    assert found[environment] == [(line, reason)]


def test_nothing_is_wrong_with_what_the_engine_wrote(found: dict[str, list[tuple[int, str]]]) -> None:
    assert found["sound"] == []


@pytest.mark.parametrize("environment", DAMAGED)
def test_the_engine_finds_the_same_files_damaged(environment: str, tmp_path: Path, store_of: Any) -> None:
    file = store_of(tmp_path).keep("prod", AT, {"ha/a": "pass", "ha/b": "fail", "ha/c": "unknown"})
    lines = file.read_bytes().splitlines()
    assert verify_file(_joined(lines)) == ""
    assert verify_file(_joined(DAMAGED[environment][0](lines))) != ""


def test_a_file_too_large_for_a_run_is_set_aside_unread(
    spark: SparkSession, tmp_path: Path, store_of: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = store_of(tmp_path).keep("prod", AT, {"ha/a": "pass"})
    monkeypatch.setattr(evidence, "LARGEST", file.stat().st_size - 1)
    (row,) = evidence.read(spark, str(tmp_path)).collect()
    assert (row["line"], row["record"]) == (0, None)
    assert row["reason"].endswith("more than any run leaves: not read")

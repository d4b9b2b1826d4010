"""Cells that say where they stand: read by the type of their field, refused where another stands, never made up."""

import subprocess
import sys
from pathlib import Path
from typing import Annotated, Any

import pytest
from msgspec import Struct
from msgspec.structs import asdict

from runbook.formats.declared import Means, at, by, setting, settings_of
from runbook.model.errors import Garbled
from runbook.model.quantity import Bytes, Days
from runbook.model.row import Cell, Row, readers, row_of


def length(texts: list[str] | None) -> int:
    return len(texts or [])


class Thing(Row):
    """Something of each type."""

    name: Annotated[str, Cell("Name.", key=True)] = at("metadata.name")
    mark: Annotated[str, Cell("Label.")] = at("metadata.labels['example.com/mark']")
    mode: Annotated[str, Cell("How.")] = at("spec.mode", absent=Means("fast", "its own default"))
    count: Annotated[int, Cell("How many.")] = at("spec.count", absent=Means(1, "its own default"))
    told: Annotated[int | None, Cell("How many it tells of.")] = at("status.told")
    size: Annotated[Bytes | None, Cell("Room.")] = at("spec.size")
    days: Annotated[Days | None, Cell("Days.")] = at("spec.days")
    on: Annotated[bool | None, Cell("Whether.")] = at("spec.on")
    words: Annotated[list[str], Cell("Words.")] = at("spec.words")
    marks: Annotated[dict[str, str], Cell("Marks.")] = at("spec.marks")
    long: Annotated[int, Cell("Words in all.")] = by(length, "spec.words")
    given: Annotated[int, Cell("What only its maker knows.")]


SPEC = {"mode": "slow", "count": 3, "size": "4Gi", "days": 2, "on": False, "words": ["a", "b"], "marks": {"a": "b"}}
THING = {"metadata": {"name": "one", "labels": {"example.com/mark": "x"}}, "spec": SPEC, "status": {"told": 0}}


def test_a_cell_is_what_stands_at_its_path() -> None:
    row = row_of(Thing, THING, given=7)
    assert row == Thing(
        name="one",
        mark="x",
        mode="slow",
        count=3,
        told=0,
        size=Bytes(4 << 30),
        days=Days(2.0),
        on=False,
        words=["a", "b"],
        marks={"a": "b"},
        long=2,
        given=7,
    )


@pytest.mark.parametrize("bare", [{}, {"metadata": None, "spec": None}, {"spec": dict.fromkeys(SPEC), "status": {}}])
def test_what_is_not_there_is_unknown_or_empty_or_what_its_declaration_says(bare: dict[str, Any]) -> None:
    row = asdict(row_of(Thing, bare, given=7))
    assert {name for name, cell in row.items() if cell is None} == {"told", "size", "days", "on"}
    assert (row["name"], row["words"], row["marks"], row["mode"], row["count"]) == ("", [], {}, "fast", 1)
    assert row_of(Thing, bare, given=7).words is not row["words"]


def test_an_empty_text_is_absent_where_it_is_said_what_that_means() -> None:
    row = row_of(Thing, {"metadata": {"name": ""}, "spec": {"mode": ""}}, given=7)
    assert (row.name, row.mode) == ("", "fast")


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"count": "3"}, "an object one has '3' as spec.count, which should be number"),
        ({"count": True}, "which should be number"),
        ({"count": 3.5}, "which should be number"),
        ({"mode": 5}, "spec.mode, which should be text"),
        ({"on": "true"}, "spec.on, which should be true or false"),
        ({"size": "much"}, "'much' is no quantity"),
        ({"size": True}, "spec.size, which should be a quantity"),
        ({"words": "a"}, "spec.words, which should be list"),
        ({"marks": ["a"]}, "spec.marks, which should be object"),
    ],
)
def test_what_has_another_type_is_refused_and_never_a_cell(changed: dict[str, Any], says: str) -> None:
    with pytest.raises(Garbled, match=says):
        row_of(Thing, THING | {"spec": SPEC | changed}, given=7)


def test_what_has_no_parts_is_refused() -> None:
    with pytest.raises(Garbled, match=r"has no object above count in spec\.count"):
        row_of(Thing, {"spec": {"mode": "x"}} | {"spec": "x"}, given=7, mode="x")


class Configured(Row):
    """Settings of each type."""

    copies: Annotated[int | None, Cell("replication.factor.")] = setting("replication.factor", of="config")
    least: Annotated[int, Cell("min.insync.replicas.")] = setting(
        "min.insync.replicas", of="config", absent=Means(1, "Kafka's default")
    )
    clean: Annotated[bool | None, Cell("clean.")] = setting("clean", of="config")
    folders: Annotated[list[str] | None, Cell("log.dirs.")] = setting("log.dirs", of="config")
    policy: Annotated[str | None, Cell("cleanup.policy.")] = setting("cleanup.policy", of="config")


class Given(Struct):
    """An answer that was read into a record."""

    config: dict[str, Any]


@pytest.mark.parametrize(
    ("config", "cells"),
    [
        ({"replication.factor": "3", "clean": "True", "log.dirs": "/a, /b,"}, (3, 1, True, ["/a", "/b"], None)),
        ({"replication.factor": -1, "min.insync.replicas": 2, "clean": False}, (-1, 2, False, None, None)),
        (
            {"replication.factor": "three", "clean": "${env:A}", "cleanup.policy": "${env:B}"},
            (None, 1, None, None, None),
        ),
        ({"cleanup.policy": " compact "}, (None, 1, None, None, "compact")),
    ],
)
def test_a_setting_is_read_as_properties_are_written(config: dict[str, Any], cells: tuple[Any, ...]) -> None:
    assert tuple(asdict(row_of(Configured, Given(config))).values()) == cells
    assert settings_of(Configured)[:2] == ["replication.factor", "min.insync.replicas"]


def test_a_setting_that_must_be_known_and_is_no_number_is_refused() -> None:
    with pytest.raises(Garbled, match=r"'few' as min\.insync\.replicas, which should be a whole number"):
        row_of(Configured, Given({"min.insync.replicas": "few"}))


def test_what_nobody_told_is_not_made_up() -> None:
    class Bare(Row):
        """A number that may be missing."""

        count: Annotated[int, Cell("How many.")] = at("spec.count")

    with pytest.raises(TypeError, match=r"Bare\.count may be missing: say what that means"):
        row_of(Bare, {"spec": {"count": 1}})
    with pytest.raises(TypeError, match="0 is made up: say how it is known"):
        Means(0, "")
    with pytest.raises(ValueError, match="is no path"):
        at("spec..count")


def test_a_row_is_built_by_its_declaration_or_whole_and_a_keyword_wins() -> None:
    assert row_of(Thing, THING, given=7, count=9).count == 9
    with pytest.raises(TypeError, match="name"):
        Thing(given=7)


def test_a_declaration_is_read_once_and_inherited() -> None:
    class More(Thing):
        """A thing and more."""

        place: Annotated[str, Cell("Where.")] = at("spec.place")

    assert readers(Thing) is readers(Thing)
    assert row_of(More, THING | {"spec": SPEC | {"place": "here"}}, given=7).place == "here"


def test_a_type_checker_sees_what_is_worked_out(tmp_path: Path) -> None:
    lines = [
        "from typing import Annotated",
        "from runbook.api import Bytes, Cell, Milliseconds, Row, at, by, row_of",
        "def long(text: str) -> int: ...",
        "class R(Row):",
        "    at: Annotated[str, Cell('x')] = at('x')",
        "    size: Annotated[Bytes, Cell('x')]",
        "    made: Annotated[int, Cell('x')] = by(long)",
        "    wrong: Annotated[str, Cell('x')] = by(long)",
        "row_of(R, {}, size=Bytes(1))",
        "row_of(R, {}, size=Milliseconds(1))",
        "row_of(R, {})",
        "row_of(R, {}, size=Bytes(1), other=1)",
    ]
    script = tmp_path / "cells.py"
    script.write_text("\n".join(lines))
    options = ["--config-file=", "--follow-imports=silent", f"--cache-dir={tmp_path}/cache", "--no-error-summary"]
    command = [sys.executable, "-m", "mypy", *options, "--disable-error-code=empty-body", script]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    refused = {int(line.split(":")[1]) for line in found.stdout.splitlines() if ": error:" in line}
    assert refused == {8, 10, 11, 12}, found.stdout + found.stderr

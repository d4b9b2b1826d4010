"""What a cause declares of rows without it: what is set, what is not known, and every mistake at its place."""

from collections.abc import Sequence
from typing import Any

import pytest

from runbook.judge.cause import CompiledCause, compile_cause, look_for
from runbook.model.errors import Invalid, Problem
from runbook.model.fact import Fact
from runbook.model.recovery import Situation
from support.cause_blocks import CAUSE, block
from support.small_runbooks import context, fact, small_runbook

pytestmark = pytest.mark.usefixtures("fakes")

UNDONE = "{recovery: fake_shrink, with: {names: row.name, size: 1}}"


def text(*rows: str, more: str = "") -> str:
    found = CAUSE.replace("{row: ", "{found: ").replace("each: row", "each: found").replace("row.", "found.")
    return found.replace(UNDONE.replace("row.", "found."), f"{{rows: [{', '.join(rows)}]{more}}}")


def cause(*rows: str, more: str = "") -> CompiledCause:
    [placed] = small_runbook(block("cause", text(*rows, more=more))).placed()
    return compile_cause(placed)


def without(*rows: str, seen: Fact) -> Fact:
    """A fact without what the declared cause finds in it."""
    made = cause(*rows)
    [finding] = look_for(made, {"found": seen}, context()).findings
    return made.undone[0].recovery.sets["fake_row"](seen, Situation({"fake_row": seen}, finding.given[0]))


ROWS = (
    {"name": "a", "size": 11, "ratio": 0.5, "tags": ["x", "y"], "at": "2026-01-01T00:00:00Z", "broker": 1},
    {"name": "b", "size": 3, "ratio": 0.5, "tags": ["x"], "at": "2026-01-01T00:00:00Z", "broker": 2},
)
MINE = "where: row.name in found.name"


@pytest.mark.parametrize(
    ("rows", "column", "cells"),
    [
        pytest.param(f"{MINE}, set: {{size: 1}}", "size", [1, 3], id="a value"),
        pytest.param("set: {size: 1}", "size", [1, 1], id="without where, of every row"),
        pytest.param(f"{MINE}, set: {{ratio: 1}}", "ratio", [1.0, 0.5], id="a whole number for a fraction"),
        pytest.param(f"{MINE}, set: {{settings: {{k: v}}}}", "settings", [{"k": "v"}, None], id="a map"),
        pytest.param(f'{MINE}, set: {{size: "{{row.broker + 1}}"}}', "size", [2, 3], id="the value of another cell"),
        pytest.param(
            f"{MINE}, set: {{tags: \"{{row.tags.filter(tag, tag != 'x')}}\"}}", "tags", [["y"], ["x"]], id="a list"
        ),
        pytest.param(
            f"{MINE}, set: {{at: \"{{row.at + duration('1h')}}\"}}",
            "at",
            ["2026-01-01T01:00:00.000Z", "2026-01-01T00:00:00Z"],
            id="a time",
        ),
        pytest.param(f'{MINE}, set: {{size: "{{size(found.tags)}}"}}', "size", [2, 3], id="what was found, one by one"),
        pytest.param(f'{MINE}, set: {{broker: "{{row.numbers[0]}}"}}', "broker", [None, 2], id="what is not known"),
        pytest.param(f"{MINE}, unknown: [size]", "size", [None, 3], id="unknown"),
        pytest.param(f"{MINE}, set: {{size: 1}}, unknown: all", "size", [1, 3], id="all that is not set: set"),
        pytest.param(
            f"{MINE}, set: {{size: 1}}, unknown: all", "tags", [None, ["x"]], id="all that is not set: not set"
        ),
        pytest.param(f"{MINE}, unknown: all", "name", ["a", "b"], id="keys are known"),
        pytest.param(f"{MINE}, drop: true", "name", ["b"], id="dropped"),
        pytest.param("where: row.ok, set: {size: 1}", "size", [None, None], id="whether it is one is not known"),
        pytest.param("where: row.ok, drop: true", "name", ["a", "b"], id="whether it goes is not known: its key"),
        pytest.param("where: row.ok, drop: true", "size", [None, None], id="whether it goes is not known: the rest"),
    ],
)
def test_rows_without_a_cause(rows: str, column: str, cells: list[Any]) -> None:
    seen = fact("fake_row", ROWS)
    before = seen.digest()
    assert without(f"{{probe: fake_row, {rows}}}", seen=seen).columns[column] == cells
    assert seen.digest() == before


@pytest.mark.parametrize(
    "where",
    [
        "row.name in found.name",
        "row.name in found.name && row.size > 20",
        "row.name in found.name && row.ok",
        "row.broker in found.broker",
        "row.broker in found.broker && row.ok",
        "row.name in found.name && found.name.size() > 1",
        "row.name in found.name && row.size > 20 || row.ok",
        "row.name in found.name && row.size > 20 ? row.ok : true",
        "row.at in found.at",
    ],
)
def test_what_is_looked_up_among_what_was_found_is_as_cel_has_it(where: str) -> None:
    rows = [
        {"name": f"{name}{n}", "size": size, "broker": broker, "ok": ok, "at": at}
        for name, size in (("a", 11), ("b", 21), ("c", 3), ("d", 4))
        for n, (broker, ok, at) in enumerate(
            [
                (1, True, "2026-01-01T00:00:00Z"),
                (2, None, "2026-01-01T00:00:00.000Z"),
                (None, False, None),
                (3, True, "2026-01-02T00:00:00Z"),
            ]
        )
    ]
    seen = fact("fake_row", rows)
    given: dict[str, list[Any]] = {
        "found.name": ["a0", "a1", "a2", "b0", "b1", "b2"],
        "found.broker": [1, 2],
        "found.at": ["2026-01-01T00:00:00Z"],
    }
    made = [
        cause(f"{{probe: fake_row, where: '{one}', set: {{size: 99}}}}")
        .undone[0]
        .recovery.sets["fake_row"](seen, Situation({}, given))
        for one in (where, f"({where})")
    ]
    assert made[0] == made[1]


def test_each_entry_sees_rows_as_they_were() -> None:
    rows = (
        "{probe: fake_row, where: row.size > 10, set: {size: 1}}",
        "{probe: fake_row, where: row.size > 10, set: {broker: 7}}",
    )
    made = without(*rows, seen=fact("fake_row", ROWS))
    assert (made.columns["size"], made.columns["broker"]) == ([1, 3], [7, 2])


def test_what_is_said_to_be_unknown_is_not_left_alone_and_everything_else_is() -> None:
    recovery = cause("{probe: fake_row, set: {size: 1}}", more=", unknown: [fake_node]").undone[0].recovery
    assert {"fake_row", "fake_node"}.isdisjoint(recovery.leaves)
    assert "fake_event" in recovery.leaves


def test_parameters_may_be_read() -> None:
    made = text('{probe: fake_row, set: {size: "{params.small}"}}') + "    params: {small: {type: int, default: 4}}\n"
    [placed] = small_runbook(block("cause", made)).placed()
    compiled = compile_cause(placed)
    seen = fact("fake_row", ROWS)
    [finding] = look_for(compiled, {"found": seen}, context(params={"small": 4})).findings
    [undone] = compiled.undone
    assert undone.recovery.sets["fake_row"](seen, Situation({}, finding.given[0])).columns["size"] == [4, 4]


def problems(made: str) -> Sequence[Problem]:
    [placed] = small_runbook(block("cause", made)).placed()
    with pytest.raises(Invalid) as caught:
        compile_cause(placed)
    return caught.value.problems


@pytest.mark.parametrize(
    ("rows", "message", "remedy"),
    [
        ("{probe: fake_rwo, set: {size: 1}}", 'no probe "fake_rwo"', "fake_row"),
        ("{probe: fake_row, where: row.sise > 1, set: {size: 1}}", 'unknown name "row.sise"', "row.size"),
        ("{probe: fake_row, where: row.name in found.nam, set: {size: 1}}", 'unknown name "found.nam"', "found.name"),
        ("{probe: fake_row, where: row.size, set: {size: 1}}", "gives INT, not true or false", ""),
        ("{probe: fake_row, set: {sise: 1}}", 'no column "sise"', "size"),
        ("{probe: fake_row, set: {name: b}}", "name names the row", "dropped"),
        ("{probe: fake_row, set: {size: much}}", "'much' is no int, as size is", "an expression in braces"),
        ("{probe: fake_row, set: {size: null}}", "None is no int, as size is", "unknown: [size]"),
        ('{probe: fake_row, set: {size: "{row.ratio}"}}', "gives DOUBLE, not int", "make it int"),
        ('{probe: fake_row, set: {size: "{row.sise}"}}', 'unknown name "row.sise"', "row.size"),
        ("{probe: fake_row, unknown: [sise]}", 'no column "sise"', "size"),
        ("{probe: fake_row, set: {size: 1}, unknown: [size]}", "size is set, too", "keep one"),
        ("{probe: fake_row}", "rows of fake_row are as they are", "set one"),
        ("{probe: fake_row, drop: true, unknown: [size]}", "rows of fake_row are gone and set", "set one"),
    ],
)
def test_every_mistake_says_what_to_write_instead(rows: str, message: str, remedy: str) -> None:
    found = problems(text(rows))
    assert any(one.message.startswith(message) and remedy in one.remedy for one in found), found


@pytest.mark.parametrize(
    ("undone", "message"),
    [
        ("{}", "it does not say what becomes of facts"),
        ("{rows: [{probe: fake_row, set: {size: 1}}], unknown: [fake_row]}", "fake_row stands under rows, too"),
        ("{rows: [{probe: fake_row, set: {size: 1}}], unknown: [fake_rwo]}", 'no probe "fake_rwo"'),
        ("{rows: [{probe: fake_row, set: {size: 1}}], with: {names: a}}", "with goes with a recovery"),
        ("{recovery: fake_shrink, rows: [{probe: fake_row, drop: true}]}", "rows and recovery do not go together"),
        ("{recovery: fake_shrink, unknown: [fake_node]}", "unknown and recovery do not go together"),
        ("{rows: [{probe: fake_row, set: {size: 1}}], at: target}", "rows and over: environment do not go together"),
    ],
)
def test_rows_and_recoveries_are_kept_apart(undone: str, message: str) -> None:
    found = problems(text().replace("{rows: []}", undone))
    assert any(one.message.startswith(message) for one in found), found


def test_a_fact_has_not_the_name_of_the_row_that_is_set() -> None:
    [problem] = problems(CAUSE.replace(UNDONE, "{rows: [{probe: fake_row, set: {size: 1}}]}"))
    assert problem.message.startswith('"row" is the row that is set, and a fact, too')


def test_a_mistake_in_braces_is_pointed_at() -> None:
    rows = '{probe: fake_row, set: {size: "{row.sise}"}}'
    [problem] = problems(text(rows))
    line = next(line for line in block("cause", text(rows)).splitlines() if "row.sise" in line)
    assert line[problem.place.column - 1 :].startswith("row.sise")


def test_who_names_a_recovery_that_is_not_there_hears_which_are_and_what_stands_in_their_place() -> None:
    [problem] = problems(CAUSE.replace("fake_shrink", "fake_shrunk"))
    assert problem.remedy.startswith("did you mean fake_shrink? known: ")
    assert "or say under rows: which cells have which values then (runbook list --blocks cause)" in problem.remedy

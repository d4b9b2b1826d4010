"""What pages and files show of what is not known: never what they show of zero, false, empty or "none".

Every place of the scorecard and of kept results that may hold an unknown, as its type declares, is made unknown. This
finds the next column by itself; the next table too, as the scorecard's file is read by `Tables`.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Any, get_args, get_type_hints

import msgspec
import pytest
from msgspec.structs import replace

import runbook.publish
from runbook.model.fact import Fact
from runbook.model.result import Outcome, Result
from runbook.model.run import Head
from runbook.publish.evidence import EnvironmentEvidence, LastSeen
from runbook.publish.evidence_pages import evidence_pages
from runbook.publish.pause_chart import draw_pauses
from runbook.publish.scorecard import Scorecard, Tables
from runbook.publish.scorecard_pages import scorecard_pages
from runbook.publish.scorecard_rows import Trend
from runbook.publish.status_row import overrides
from runbook.publish.trend_chart import PALETTES, Palette, TrendChart
from support.evidence import record
from support.evidence.judging import judged
from support.kept_runs import run_line
from support.unknowns import Place, lines_mistaken, look_alikes, nullable, places_in, put, records

PART = re.compile(r"(?=<h[23]|<section|<tr|<li|<p)")
"""Where a page is taken apart: in each part by itself an unknown must look unlike anything known."""

WORDS: Mapping[str, tuple[Any, Any]] = {
    "ChangedVerdict.before": ("pass", "fail"),
    "ChangedVerdict.now": ("pass", "unknown"),
    "Trend.status": ("scored", "unknown"),
    "Failing.rows.outcome": ("fail", "unknown"),
}
"""Field → words that it has; all other words look alike."""

LOOKS_ALIKE = {
    ("ChangedVerdict.title", ".md"): "a check goes by its name where it has no title",
    ("CheckRow.title", ".md"): "a check goes by its name where it has no title",
    ("DrillRow.title", ".md"): "a check goes by its name where it has no title",
    ("Failing.title", ".md"): "a check goes by its name where it has no title",
    ("Failing.rows.waived", ".md"): "what nobody is known to have waived fails",
    ("Trend.redefined", ".svg"): "the words and the table beside the picture say of how many weeks it is not known",
}
"""Field and kind of file → why an unknown may look like something known there."""


def parts(text: str) -> str:
    """A page, a line for each of its parts; a file as it is."""
    return "\n".join(" ".join(part.split()) for part in PART.split(text))


def mistaken(pages: Callable[[Any], Mapping[str, str]], value: Any, place: Place) -> Iterator[tuple[str, str]]:
    """The files, and the parts of them, that show an unknown in a place as they show something known."""
    one, another = (pages(put(value, place.path, known)) for known in WORDS.get(place.field, place.known()))
    nothing = pages(put(value, place.path, None))
    for like in look_alikes(value, place):
        seems = pages(put(value, place.path, like))
        for path in one:  # a picture that is not there is the empty text
            for line in lines_mistaken(*(files.get(path, "") for files in (nothing, one, another, seems))):
                yield path, f"{place.field} as {like!r} in {line}"


@pytest.fixture
def drawn_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pictures take longest, and few of the places change one."""
    drawn: dict[bytes, str] = {}
    draw = TrendChart.draw

    def once(chart: TrendChart, trend: Trend, palette: Palette, *, generated: bool) -> str:
        key = msgspec.json.encode([trend, palette, generated])
        drawn[key] = drawn.get(key) or draw(chart, trend, palette, generated=generated)
        return drawn[key]

    monkeypatch.setattr(TrendChart, "draw", once)


GONE_THROUGH = {
    "Scorecard": "with the scorecard",
    "_Point": "with a pause",
    "HeatRow": "with the scorecard",
    "WeekProblem": "with the scorecard",
    "WeekStanding": "with the scorecard",
    "WeekSummary": "with the scorecard",
} | {get_args(of)[0].__name__: "with the scorecard" for of in get_type_hints(Tables).values()}
"""Record of the site with places that may hold an unknown → where it is gone through below."""


def test_every_record_of_the_site_that_may_hold_an_unknown_is_gone_through():
    assert {record.__name__ for record in records(runbook.publish) if nullable(record)} == GONE_THROUGH.keys()


def scorecard_files(card: Scorecard) -> dict[str, str]:
    return {page.path: parts(page.text) for page in scorecard_pages(card, [], ["hostile"])}


def test_every_column_that_may_be_null_is_in_the_sample(card: Any):
    seen = {".".join(place.field.split(".")[:2]) for place in places_in(msgspec.convert(card, Scorecard))}
    rows = [get_args(of)[0] for of in get_type_hints(Tables).values()]
    assert {field for row in rows for field in nullable(row)} - seen == set()


@pytest.mark.usefixtures("drawn_once")
def test_null_in_the_scorecard_looks_like_nothing_else(card: Any):
    read = msgspec.convert(card, Scorecard)
    wrong: dict[tuple[str, str], str] = {}
    for place in places_in(read):
        for path, line in mistaken(scorecard_files, read, place):
            wrong[place.field, Path(path).suffix] = line
    assert {place: line for place, line in wrong.items() if place not in LOOKS_ALIKE} == {}
    assert LOOKS_ALIKE.keys() <= wrong.keys(), "it does so no more: take it off the list"


@pytest.mark.parametrize("count", ["runs", "scored_runs", "results"])
def test_a_count_that_the_card_does_not_hold_is_no_zero(card: Any, count: str):
    del card["counts"][count]
    before = scorecard_files(msgspec.convert(card, Scorecard))["scorecard/index.md"]
    card["counts"][count] = 0
    assert scorecard_files(msgspec.convert(card, Scorecard))["scorecard/index.md"] != before


@pytest.mark.parametrize("table", get_type_hints(Tables))
def test_a_table_that_is_not_there_is_no_empty_one(card: Any, table: str):
    del card["tables"][table]
    with pytest.raises(msgspec.ValidationError, match=table):
        msgspec.convert(card, Scorecard)


def failing_result() -> Result:
    """A failure on a real system, of a check that has parameters."""
    bundle = record.read(record.place_of("layouts", "lose-1", "before")).bundle
    with TemporaryDirectory() as folder:
        results = judged(bundle, "ha", Path(folder)).values()
    return next(
        result
        for result in results
        if result.outcome is Outcome.FAIL and result.rows and result.rows[0].key and result.params
    )


def seen_at(now: datetime) -> LastSeen:
    """That result, as a site shows it."""
    head = Head("prod", "id", brokers=3)
    began = "2026-11-21T06:00:00Z"
    run = run_line(began, head)
    return LastSeen(replace(failing_result(), overridden=[]), run, now)


def evidence_files(seen: LastSeen) -> dict[str, str]:
    known = EnvironmentEvidence("prod", seen.run, {seen.result.check: [seen]})
    return {page.path: parts(page.text) for page in evidence_pages([known], [])}


@pytest.mark.kept
def test_an_unknown_of_a_result_looks_like_nothing_else(now: datetime):
    seen = seen_at(now)
    first = {place.field: place for place in places_in(seen)}
    wrong = [line for place in first.values() for _, line in mistaken(evidence_files, seen, place)]
    assert {"JudgedRow.key", "Result.params"} <= first.keys()
    assert wrong == []


@pytest.mark.kept
def test_a_parameter_that_an_environment_left_open_looks_like_no_value_of_it(now: datetime):
    seen = seen_at(now)
    result = seen.result
    name = next(iter(result.params))

    def shown(value: Any) -> Any:
        changed = replace(result, params=result.params | {name: value}, overridden=[name])
        places = [EnvironmentEvidence("prod", seen.run, {result.check: [replace(seen, result=changed)]})]
        return overrides(SimpleNamespace(name=result.check), places)

    place = Place("Result.params", (), (Any,))
    assert shown("one thing")[name] == [("prod", "one thing")]
    assert [like for like in place.look_alikes() if shown(like) == shown(None)] == []


@pytest.mark.kept
def test_how_many_brokers_answered_is_not_told_as_a_number_if_it_is_not_known(now: datetime):
    seen = seen_at(now)
    unknown, none, one, two = (
        evidence_files(put(seen, ("run", "head", "answering"), count)) for count in (None, 0, 1, 2)
    )
    for path in unknown:
        assert lines_mistaken(unknown[path], one[path], two[path], none[path]) == []
        assert "None of" not in unknown[path]


PAUSE = {
    "broker": 2,
    "ended": "2026-11-21T11:00:00+00:00",
    "length": 12040.0,
    "kind": "full",
    "evacuation_failed": False,
}
CELLS = {
    "ended": ["2026-11-21T11:00:00+00:00", "2026-11-21T12:00:00+00:00"],
    "length": [12040.0, 300.0],
    "kind": ["full", "young", "", "none"],
    "evacuation_failed": [True, False],
    "session_timeout": [9000, 20000, 0],
}
"""Column → known values of a pause, or of its broker."""


def picture(column: str, cell: Any) -> tuple[str, str]:
    """The picture of one pause, and its words; one cell is as given."""
    cells = PAUSE | {"session_timeout": 9000} | ({"kind": "young"} if column == "evacuation_failed" else {})
    cells |= {column: cell}
    pauses = Fact("jvm_gc_pause", {name: [cells[name]] for name in PAUSE})
    config = Fact("kafka_broker_config", {"broker": [2], "session_timeout": [cells["session_timeout"]]})
    chart = draw_pauses(pauses, config, PALETTES["light"])
    return chart.svg, chart.words


@pytest.mark.parametrize("column", CELLS)
def test_a_pause_of_which_something_is_not_known_is_drawn_like_no_other(column: str):
    unknown = picture(column, None)
    assert [cell for cell in CELLS[column] if picture(column, cell)[0] == unknown[0]] == []
    assert "No long pause" not in unknown[1]


def test_that_no_pause_outlasted_a_session_is_said_of_known_timeouts_only():
    assert "None outlasted" not in picture("session_timeout", None)[1]
    assert "None outlasted" in picture("session_timeout", 20000)[1]

"""The strip of a card: readable with three environments and with fifty."""

import re
from collections.abc import Callable
from datetime import datetime, timedelta

import pytest
from msgspec.structs import replace

from runbook.model.result import Outcome, Result
from runbook.model.run import Head
from runbook.parse.runbook import LocatedBlock, Runbook
from runbook.publish.evidence import EnvironmentEvidence, LastSeen
from runbook.publish.status_row import FEW, SHOWN, needing_a_person, overrides, status_row
from support.kept_runs import run_line

WEEK = timedelta(days=8)
Make = Callable[..., Result]


def _environment(
    placed: LocatedBlock, name: str, outcome: Outcome, now: datetime, make: Make, **values: object
) -> EnvironmentEvidence:
    started = f"{now - timedelta(hours=1):%Y-%m-%dT%H:%M:%SZ}"
    run = run_line(started, Head(name))
    result = make(placed, name, outcome, **values)
    return EnvironmentEvidence(name, last=run, results={placed.name: [LastSeen(result, run, now)]})


@pytest.fixture
def many(book: Runbook, now: datetime, make_result: Make) -> list[EnvironmentEvidence]:
    """Fifty environments: two fail, one is unknown, one never ran it, the others comply."""
    check = book.checks()[0]
    outcomes = [Outcome.FAIL] * 2 + [Outcome.UNKNOWN] + [Outcome.PASS] * 46
    found = [_environment(check, f"env-{i:02}", outcome, now, make_result) for i, outcome in enumerate(outcomes)]
    return [*found, EnvironmentEvidence("never")]


def test_of_many_environments_those_that_need_a_person_stand_first_and_open(
    book: Runbook, many: list[EnvironmentEvidence]
) -> None:
    shown = status_row(book.checks()[0], many, WEEK)
    assert re.findall(r"env-\d\d(?= <small>)", shown)[:3] == ["env-00", "env-01", "env-02"]
    assert '<a href="../../evidence/env-00/hostile.html#hostile-rows-hold-env-00">env-00' in shown
    assert "env-03" not in shown.partition("<details><summary>")[0]
    assert "pass</span> 46" in shown
    assert "no result yet</span> 1" in shown


def test_failures_beyond_what_a_glance_takes_in_are_folded(book: Runbook, now: datetime, make_result: Make) -> None:
    check = book.checks()[0]
    found = [_environment(check, f"env-{i:02}", Outcome.FAIL, now, make_result) for i in range(SHOWN + 1)]
    assert f"<details><summary>{_badge('fail', '✗')} {SHOWN + 1}" in status_row(check, found, WEEK)


def _badge(word: str, shape: str) -> str:
    return f'<span class="rb-status rb-{word}"><span class="rb-shape" aria-hidden="true">{shape}</span> {word}</span>'


def test_of_many_those_that_need_nobody_are_folded_away(book: Runbook, many: list[EnvironmentEvidence]) -> None:
    shown = status_row(book.checks()[0], many, WEEK)
    assert shown.count("../../evidence/env-") == 49
    folds = re.findall(r"<details( open)?><summary>.*?</span> (\w[\w ]*)</span>", shown)
    assert folds == [(" open", "fail"), (" open", "unknown"), ("", "no result yet"), ("", "pass")]


def test_of_few_each_is_shown(book: Runbook, many: list[EnvironmentEvidence]) -> None:
    shown = status_row(book.checks()[0], many[:FEW], WEEK)
    assert (shown.count("<li class="), shown.count("<details")) == (FEW, 0)


def test_a_line_of_a_list_has_what_needs_a_person(book: Runbook, many: list[EnvironmentEvidence]) -> None:
    found = needing_a_person(book.checks()[0], many, WEEK)
    assert [(group.status, len(group.cells)) for group in found] == [("fail", 2), ("unknown", 1)]


def test_old_results_are_counted(book: Runbook, many: list[EnvironmentEvidence], now: datetime) -> None:
    [seen] = many[10].results["hostile/rows-hold"]
    old = replace(seen.run, started_at=f"{now - timedelta(days=9):%Y-%m-%dT%H:%M:%SZ}")
    many[10].results["hostile/rows-hold"] = [replace(seen, run=old)]
    assert "1 of these results is old, or of an earlier definition" in status_row(book.checks()[0], many, WEEK)


def test_of_results_that_are_only_counted_the_oldest_says_how_old(
    book: Runbook, many: list[EnvironmentEvidence], now: datetime
) -> None:
    [seen] = many[10].results["hostile/rows-hold"]
    old = replace(seen.run, started_at=f"{now - timedelta(days=3):%Y-%m-%dT%H:%M:%SZ}")
    many[10].results["hostile/rows-hold"] = [replace(seen, run=old)]
    passing = status_row(book.checks()[0], many, WEEK).partition("pass</span> 46")[2]
    assert f'the oldest <time datetime="{old.started_at}" data-age="short renewed">' in passing[:90]


def test_a_check_that_ran_nowhere_says_so_once(book: Runbook) -> None:
    shown = status_row(book.checks()[0], [EnvironmentEvidence(f"env-{i}") for i in range(50)], WEEK)
    assert "No results yet." in shown
    assert "env-" not in shown


def test_a_page_with_fifty_environments_costs_few_bytes_a_cell(book: Runbook, many: list[EnvironmentEvidence]) -> None:
    assert len(status_row(book.checks()[0], many, WEEK)) / 50 < 250


def test_parameters_that_environments_set_are_listed_with_their_values(
    book: Runbook, now: datetime, make_result: Make
) -> None:
    check = book.checks()[0]
    own = _environment(check, "own", Outcome.PASS, now, make_result, params={"spare": 3}, overridden=["spare"])
    usual = _environment(check, "usual", Outcome.PASS, now, make_result)
    assert overrides(check, [own, usual]) == {"spare": [("own", "3")]}

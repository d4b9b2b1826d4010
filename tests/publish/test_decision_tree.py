"""A diagnostic is a row of questions that leads to a cause, without a script."""

from datetime import datetime
from pathlib import Path

import pytest

from runbook.parse.runbook import Runbook
from runbook.publish.decision_tree import NAMED, tree
from runbook.publish.evidence import EnvironmentEvidence, read_environments
from runbook.run.sources.runbooks import read_all


@pytest.fixture
def shown(book: Runbook, store: Path, now: datetime) -> str:
    return _tree(book, read_environments(store, ["hostile"], now))


def _tree(book: Runbook, environments: list[EnvironmentEvidence]) -> str:
    placed = next(placed for placed in book.placed() if placed.block.id == "writers-are-refused")
    return tree(placed, {check.name: check for check in book.checks()}, environments)


def test_the_first_question_is_open_and_leads_to_the_next(shown: str) -> None:
    first, _, second = shown.partition('<li id="writers-are-refused-2">')
    assert "<details open>" in first
    assert '<a href="#writers-are-refused-2">Next question</a>' in first
    assert "<details>" in second
    assert '<a href="#writers-are-refused">Back to the symptom</a>' in second


def test_a_question_shows_the_check_and_its_last_state(shown: str) -> None:
    assert '<a href="rows-hold.html">rows-hold</a>: Every row' in shown
    assert '<a href="../other/there.html">other/there</a>' in shown
    fails = shown.partition("fail</span> ")[2]
    assert fails.startswith("broken") or "waived</span> broken" in shown
    assert "pass</span> in 1" in shown


def test_a_cause_without_a_check_says_that_only_looking_tells(shown: str) -> None:
    assert "No check can tell" in shown.partition('<li id="writers-are-refused-2">')[2]


def test_who_tells_a_cause_is_said_the_tool_or_a_person(shown: str) -> None:
    assert "Decided by the tool" not in shown
    assert shown.count("Decided by a person: the tool never names it.") == 2
    assert "if it is this one, and may for other reasons" in shown


def test_a_cause_that_the_tool_tells_leads_to_its_block() -> None:
    placed = next(placed for placed in read_all(["ha"])[0].placed() if placed.block.id == "replicas-are-behind")
    shown = tree(placed, {}, [])
    assert 'Decided by the tool, if the cause <a href="broker-is-down.html">broker-is-down</a> holds.' in shown
    assert "may for other reasons" not in shown.partition("broker-is-down</a> holds")[2].partition("</li>")[0]


def test_what_authors_and_clusters_wrote_stays_words(shown: str) -> None:
    assert "<script" not in shown
    assert "<b>is</b>" not in shown
    assert "none &lt;script&gt;" in shown


def test_of_many_environments_some_are_named_and_the_others_counted(book: Runbook, store: Path, now: datetime) -> None:
    found = read_environments(store, ["hostile"], now)
    results = next(evidence for evidence in found if evidence.name == "broken").results
    many = [EnvironmentEvidence(f"env-{i}", results=results) for i in range(NAMED + 4)]
    assert "and 4 more" in _tree(book, many)


def test_only_a_diagnostic_is_a_tree(book: Runbook) -> None:
    with pytest.raises(TypeError, match="is no diagnostic"):
        tree(book.checks()[0], {}, [])

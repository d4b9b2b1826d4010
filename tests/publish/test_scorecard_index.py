"""The scorecard's first page: where everything stands, and what is new."""

from typing import Any

import msgspec
import pytest

from runbook.publish.scorecard import Scorecard
from runbook.publish.scorecard_changes import FEW
from runbook.publish.scorecard_index import index_page
from runbook.publish.scorecard_pages import scorecard_pages
from runbook.publish.week_pages import week_view

MOMENT = "2026-11-21 06:00 UTC"


def _page(card: Any, marks: dict[str, str] | None = None) -> str:
    read = msgspec.convert(card, Scorecard)
    return index_page(read, week_view(read, []), ["hostile"], marks or {}).text


def test_without_a_scorecard_the_page_says_how_to_get_one() -> None:
    (page,) = scorecard_pages(None, [], [])
    assert "No results yet." in page.text
    assert "runbook scorecard" in page.text


def _row(text: str, name: str = "broken") -> str:
    """The row of an environment in the table of environments and runbooks."""
    return text.partition(f'<a href="environments/{name}.html">{name}</a>')[2].partition("</tr>")[0]


def test_a_cell_says_how_many_checks_of_the_worst_severity_fail_and_the_score_stands_once(card: Any) -> None:
    row = _row(_page(card))
    assert '<a href="environments/broken.html#runbook-hostile"><strong>✗ 2</strong> high</a>' in row
    assert 'class="rb-step rb-step-high"' in row
    assert row.count("62.5</a>") == 1
    assert row.count("↓ down 3.5") == 1
    assert row.count("other checks than last week") == 1
    assert "coverage" not in row


def test_what_fails_decides_the_colour_and_not_the_score(card: Any) -> None:
    """98.9 with a critical failure and 41.6 without shared one red."""
    scores = card["tables"]["scores"]
    high = next(score for score in scores if (score["environment"], score["severity"]) == ("broken", "high"))
    scores.append(high | {"severity": "critical", "failed": 1})
    for score in scores:
        score.update(score=98.9)
    assert 'class="rb-step rb-step-critical"' in _row(_page(card))
    scores[:] = [score for score in scores if score["severity"] not in ("critical", "high")]
    for score in scores:
        score.update(score=41.6)
    assert 'class="rb-step rb-step-lower"' in _row(_page(card))


def test_zeros_are_dashes(card: Any) -> None:
    row = _row(_page(card))
    assert row.count('<td class="rb-zero" data-sort="">\N{EN DASH}</td>') == 2  # critical, lower
    assert "✗ 0" not in row


def test_silent_environments_come_first_and_stay_there(card: Any) -> None:
    text = _page(card).partition("## Environments")[2]
    assert text.index("environments/healthy.html") < text.index("environments/broken.html")
    assert "rb-row-silent data-pinned" in text
    assert "<strong>● silent</strong> since" in _row(text, "healthy")


def test_a_cell_that_passes_says_how_many_checks_apply_where_most_do_not(card: Any) -> None:
    """One that passes of 126 that do not apply is no pass like another's."""
    for score in card["tables"]["scores"]:
        score.update(failed=0, not_applicable=8)
    assert "<small>1 of 9 apply</small>" in _row(_page(card))
    for score in card["tables"]["scores"]:
        score.update(not_applicable=1)
    assert " of 9 apply" not in _row(_page(card))


UNSEEN = {"status": "unknown", "score": None, "score_raw": None, "coverage": 5.0, "expected": 21, "not_applicable": 1}
UNSEEN |= {"passed": 1, "failed": 0, "waived": 0, "unknown": 0, "missing": 0, "unobserved": 19}


def test_a_cell_that_is_mostly_left_unobserved_is_grey_and_says_how_much_is_observed(card: Any) -> None:
    for score in card["tables"]["scores"]:
        score.update(UNSEEN)
    row = _row(_page(card))
    assert "◌ 1 of 20" in row
    assert 'class="rb-none rb-hatched"' in row
    assert "✓" not in row
    for score in card["tables"]["scores"]:
        score.update(unknown=10, unobserved=9)  # most of it nobody could find out
    assert "? unknown" in _row(_page(card))
    for score in card["tables"]["scores"]:
        score.update(UNSEEN, failed=1, unobserved=18)
    assert "<strong>✗ 1</strong> high, no score" in _row(_page(card))


def test_the_first_week_of_an_environment_is_told_as_it_is_compared_with_nothing(card: Any) -> None:
    said = "This is the first week of broken: there is none before"
    assert said not in _page(card)
    card["tables"]["trend"][0]["status"] = ["none", "none", "silent", "unknown"]
    assert said in _page(card)
    card["tables"]["trend"][0]["status"] = ["none", "none", "silent", "silent"]
    assert said not in _page(card)


def test_a_column_says_whose_its_runbook_is(card: Any) -> None:
    assert 'hostile</a> <span class="rb-tag">built-in, amended</span>' in _page(card, {"hostile": "built-in, amended"})
    assert "rb-tag" not in _page(card)


@pytest.mark.parametrize(
    ("status", "shown"),
    [
        ("unknown", "rb-unknown rb-hatched"),
        ("silent", f'since <time datetime="2026-11-21T06:00:00Z" data-age="">{MOMENT}'),
        ("not_applicable", "○ none applies"),
    ],
)
def test_a_cell_without_a_score_says_why(card: Any, status: str, shown: str) -> None:
    for score in card["tables"]["scores"]:
        score.update(status=status, score=None, last_at="2026-11-21T06:00:00Z", failed=0)
    row = _row(_page(card))
    assert shown in row
    assert "62.5</a>" not in row


def test_what_fails_is_seen_where_coverage_is_too_low_for_a_score(card: Any) -> None:
    """An offline partition is red, however much else could not be found out."""
    scores = card["tables"]["scores"]
    for score in scores:
        score.update(status="unknown", score=None, coverage=40.0)
    row = _row(_page(card))
    assert 'class="rb-step rb-step-high rb-hatched"' in row
    assert "<strong>✗ 2</strong> high, no score" in row
    assert "coverage 40&nbsp;%" in row
    scores[:] = [score for score in scores if score["severity"] not in ("critical", "high")]
    assert "<strong>✗ 2</strong> lower, no score" in _row(_page(card))


def test_records_that_were_set_aside_are_counted_and_shown(card: Any, evil: str) -> None:
    text = _page(card)
    assert "1 record was set aside" in text
    assert evil not in text
    assert "<script" not in text


def test_every_table_can_be_loaded(card: Any) -> None:
    text = _page(card)
    for name in card["tables"]:
        assert f'href="data/{name}.csv"' in text
    assert 'href="scorecard.json"' in text


def test_the_newest_failures_are_shown_and_the_way_to_all_changes(card: Any) -> None:
    change = card["tables"]["changes"][0] | {"change": "newly_failing"}
    card["tables"]["changes"] = [change | {"severity": "low", "title": "One low"}] * FEW
    card["tables"]["changes"] += [change | {"severity": "critical", "title": "One critical"}]
    news = _page(card).partition("## What changed this week")[2]
    assert f"Newly failing: {FEW + 1}" in news
    assert news.index("One critical") < news.index("One low")
    assert news.count("One low") == FEW - 1
    assert '1 more: <a href="changes.html">all that changed</a>' in news

"""The scorecard's page."""

from typing import Any

import msgspec
import pytest

from runbook.publish.scorecard import Scorecard
from runbook.publish.scorecard_page import scorecard_page


def _page(card: Any) -> str:
    return scorecard_page(msgspec.convert(card, Scorecard), ["hostile"], ["broken"]).text


def test_without_a_scorecard_the_page_says_how_to_get_one() -> None:
    text = scorecard_page(None, [], []).text
    assert "No results yet." in text
    assert "runbook scorecard" in text


def test_a_cell_shows_score_shape_word_change_and_coverage(card: Any) -> None:
    text = _page(card)
    assert "<strong>62.5</strong>" in text
    assert "↓ down 3.5 (other checks than last week)" in text
    assert "2 of 9 fail, 1 waived; coverage 100.0 %" in text


@pytest.mark.parametrize(
    ("status", "shown"),
    [
        ("unknown", "rb-unknown rb-hatched"),
        ("silent", "silent since 2026-11-21T06:00:00Z"),
        ("not_applicable", "rb-na"),
    ],
)
def test_a_cell_without_a_score_says_why(card: Any, status: str, shown: str) -> None:
    for score in card["tables"]["scores"]:
        score.update(status=status, score=None, last_at="2026-11-21T06:00:00Z")
    text = _page(card)
    assert shown in text
    assert "62.5" not in text


def test_a_failure_says_since_when_and_leads_to_its_rows(card: Any) -> None:
    text = _page(card)
    assert "2026-W44, failing for 20 days" in text
    assert '<a href="../evidence/broken.html#hostile-rows-hold-broken">2 rows</a>' in text


def test_waived_failures_come_last(card: Any) -> None:
    failing = card["tables"]["failing"]
    failing.insert(0, failing[0] | {"waived": True, "title": "Waived one"})
    text = _page(card)
    assert text.index("Waived one") > text.index("Holds ")


def test_records_that_were_set_aside_are_counted_and_shown(card: Any, evil: str) -> None:
    text = _page(card)
    assert "1 records were set aside" in text
    assert evil not in text
    assert "<script" not in text

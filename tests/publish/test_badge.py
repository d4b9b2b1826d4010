"""The badge of an environment."""

from typing import Any
from xml.etree import ElementTree as ET

import msgspec

from runbook.publish.badge import GREY, LONGEST, badge
from runbook.publish.scorecard_rows import Score


def _score(card: Any, **values: object) -> Score:
    return msgspec.convert(card["tables"]["scores"][0] | values, Score)


def test_a_badge_has_shape_word_score_and_week(card: Any) -> None:
    drawn = badge("prod-eu", _score(card), generated=False)
    assert 'aria-label="prod-eu: ✗ fail 62.5 · 2026-W47"' in drawn


def test_a_silent_environment_has_no_number(card: Any) -> None:
    score = _score(card, status="silent", score=None)
    drawn = badge("prod-eu", score, silent="since 2026-10-12", generated=False)
    assert "· silent, since 2026-10-12 · 2026-W47" in drawn
    assert "62.5" not in drawn


def test_what_is_mostly_left_unobserved_is_grey_and_says_how_much_is_observed(card: Any) -> None:
    counts = {"expected": 21, "not_applicable": 1, "passed": 1, "failed": 0, "waived": 0, "unknown": 0, "missing": 0}
    drawn = badge("prod-eu", _score(card, status="unknown", score=None, unobserved=19, **counts), generated=False)
    assert 'aria-label="prod-eu: ◌ 1 of 20 observed · 2026-W47"' in drawn
    assert GREY in drawn


def test_generated_results_are_marked(card: Any) -> None:
    assert "generated, not measured" in badge("prod-eu", _score(card), generated=True)


def test_a_hostile_name_stays_text_and_is_cut(card: Any, evil: str) -> None:
    root = ET.fromstring(badge(evil * 3, _score(card), generated=False))
    assert {element.tag.rpartition("}")[2] for element in root.iter()} == {"svg", "title", "rect", "g", "text"}
    texts = [element.text or "" for element in root.iter("{http://www.w3.org/2000/svg}text")]
    assert len(texts[0]) == LONGEST
    assert "<script" in texts[0]

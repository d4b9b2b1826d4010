"""A week: its headline, its own page at an address that stays, its JSON and its Markdown."""

import json
from pathlib import Path
from typing import Any

import msgspec

from runbook.publish.scorecard import Scorecard
from runbook.publish.sparkline import sparkline
from runbook.publish.week_pages import LISTED, keep_weeks, read_kept, week_pages, week_view
from runbook.publish.week_summary import BOSS, WeekStanding, WeekSummary, as_json, as_markdown, summary_of


def _week(*standings: WeekStanding, **values: Any) -> WeekSummary:
    return WeekSummary(week="2026-W47", standings=[*standings], **values)


def _pages(card: Any, kept: list[WeekSummary] | None = None) -> dict[str, str]:
    read = msgspec.convert(card, Scorecard)
    return {page.path: page.text for page in week_pages(read, week_view(read, []), kept or [])}


FINE = WeekStanding(name="a", status="scored", score=100.0)
GRAVE = WeekStanding(name="b", status="scored", failed={"critical": 2, "low": 1}, score=90.0)
SILENT = WeekStanding(name="c", status="silent", silent_since="2026-10-12T02:46:00Z")
BLIND = WeekStanding(name="d", status="unknown", failed={"high": 1})


def test_the_headline_answers() -> None:
    assert _week(FINE).headline == "No critical failures in 1 environment"
    assert _week(GRAVE, FINE).headline == "1 of 2 environments has critical failures"
    assert (
        _week(FINE, GRAVE, SILENT, BLIND).headline
        == "1 of 4 environments has critical failures, 1 is silent and 1 has no score"
    )
    assert _week(FINE, SILENT).headline == "No critical failures in 1 environment and 1 is silent"
    assert _week().headline == "Nothing is known of this week"


def test_news_leave_out_what_is_none() -> None:
    assert _week(FINE).news == ["0 newly failing", "0 fixed"]
    told = _week(FINE, newly_failing={"critical": 1, "low": 2}, fixed=4, waivers_ending=1, drills_due=2).news
    assert told == ["3 newly failing (1 critical)", "4 fixed", "1 waiver within 14 days of the end", "2 drills due"]


def test_of_the_first_week_nothing_is_said_to_be_new_or_to_have_got_worse(card: Any) -> None:
    assert _week(FINE, is_first=True, fixed=0, drills_due=1).news == [
        "the first week: there is none to compare it with",
        "1 drill due",
    ]
    assert "no week to compare with" not in _pages(card)["scorecard/weeks/2026-W47.md"]
    for row in card["tables"]["trend"]:
        row["status"] = [None] * (len(row["weeks"]) - 1) + row["status"][-1:]
    page = _pages(card)["scorecard/weeks/2026-W47.md"]
    assert "The first week: there is none to compare it with" in page
    assert "no week to compare with" in page
    assert "no score fell" not in page


def test_silent_comes_first_and_then_what_fails_by_severity_before_any_score() -> None:
    ordered = sorted([FINE, BLIND, GRAVE, SILENT], key=lambda one: one.grave)
    assert [one.name for one in ordered] == ["c", "b", "d", "a"]


def test_every_week_has_a_page_with_the_weeks_beside_it(card: Any) -> None:
    pages = _pages(card)
    assert {"scorecard/weeks/2026-W45.md", "scorecard/weeks/2026-W46.md", "scorecard/weeks/2026-W47.md"} <= {*pages}
    middle = pages["scorecard/weeks/2026-W46.md"]
    assert 'href="2026-W45.html"' in middle
    assert 'href="2026-W47.html"' in middle
    assert "Its problems were not kept" in middle
    assert "Fix first" not in middle


def test_a_week_that_was_kept_shows_its_problems(card: Any, tmp_path: Path) -> None:
    read = msgspec.convert(card, Scorecard)
    was = summary_of(read, [])
    was.week = "2026-W46"
    (tmp_path / "2026-W46.json").write_text(as_json(was), encoding="utf-8")
    (tmp_path / "2026-W45.json").write_text("{}", encoding="utf-8")
    kept = read_kept(tmp_path)
    assert [one.week for one in kept] == ["2026-W46"]
    assert "Fix first" in _pages(card, kept)["scorecard/weeks/2026-W46.md"]


def test_what_was_published_of_a_week_is_kept_for_the_next_site(card: Any, tmp_path: Path) -> None:
    site, data = tmp_path / "site", tmp_path / "data"
    (data / "scorecard").mkdir(parents=True)
    keep_weeks(site, data)  # a site without a scorecard
    (site / "scorecard/weeks").mkdir(parents=True)
    (site / "scorecard/weeks/2026-W47.json").write_text(_pages(card)["scorecard/weeks/2026-W47.json"], encoding="utf-8")
    keep_weeks(site, data)
    [kept] = read_kept(data / "scorecard" / "weeks")
    assert [one.name for one in kept.problems or []] == ["hostile/rows-hold"]


def test_made_up_weeks_and_later_ones_are_not_shown_beside_measured_ones(card: Any) -> None:
    later, made = _week(FINE), WeekSummary(week="2026-W46", generated=True)
    later.week = "2026-W48"
    pages = _pages(card, [later, made])
    assert "scorecard/weeks/2026-W48.md" not in pages
    assert "Its problems were not kept" in pages["scorecard/weeks/2026-W46.md"]


def test_the_json_of_a_week_holds_its_headline_and_problems(card: Any) -> None:
    found = json.loads(_pages(card)["scorecard/weeks/2026-W47.json"])
    assert found["headline"] == "No critical failures in 1 environment and 1 is silent"
    assert [one["name"] for one in found["problems"]] == ["hostile/rows-hold"]
    assert found["origin"] == "measured"


def test_the_summary_is_the_headline_and_five_problems_in_which_nothing_is_alive(card: Any, evil: str) -> None:
    failing = card["tables"]["failing"][0]
    card["tables"]["failing"] = [failing | {"check": f"x/{number}"} for number in range(LISTED + BOSS + 3)]
    pages = _pages(card)
    text = pages["scorecard/weeks/2026-W47.md"]
    assert f"{BOSS + 3} more: " in text
    assert evil not in text
    read = msgspec.convert(card, Scorecard)
    said = as_markdown(week_view(read, []).summary)
    assert said.startswith("**Kafka, week 2026-W47: No critical failures")
    assert said.count("owner not set") == BOSS
    assert f"{LISTED + 3} more problems" in said
    assert "<script" not in said.replace(r"\<", "")
    assert "![x]" not in said


def test_a_line_of_weeks_has_gaps_and_says_where_it_goes() -> None:
    drawn = sparkline([90.0, None, 80.0, 85.0])
    assert 'aria-label="4 weeks: 90 to 85, lowest 80"' in drawn
    assert drawn.count("M") == 2
    assert sparkline([None, 90.0]) == ""
    flat, cliff = sparkline([99.0, 98.0]), sparkline([99.0, 60.0])
    assert flat.partition("L")[2] < cliff.partition("L")[2] or flat != cliff


def test_figures_lead_to_what_they_count(card: Any) -> None:
    page = _pages(card)["scorecard/weeks/2026-W47.md"]
    for kind, href in (
        (" rb-tile-high", "#fix-first"),
        ("", "../changes.html#newly-failing"),
        (" rb-tile-silent", "#silent"),
    ):
        assert f'<a class="rb-tile{kind}" href="{href}">' in page
    assert page.count('<tr id="silent"') == 1
    assert "#without-score" not in page  # there is none
    assert "score fell most: broken ↓ 3.5" in page


def test_what_fails_in_the_first_week_that_is_known_fails_at_least_as_long(card: Any) -> None:
    told = "≥ 20 days"
    assert told in _pages(card)["scorecard/weeks/2026-W47.md"]
    assert "at least 20 days" in _pages(card)["scorecard/weeks/2026-W47.md"]
    card["tables"]["failing"][0]["since_week"] = "2026-W45"
    assert told not in _pages(card)["scorecard/weeks/2026-W47.md"]

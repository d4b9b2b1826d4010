"""Everything that shows the scorecard: its pages fit each other, and nothing hostile is alive in them."""

from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec
import pytest

from runbook.publish.evidence import read_environments
from runbook.publish.scorecard import Scorecard
from runbook.publish.scorecard_pages import scorecard_pages


def _files(card: Any, store: Path, now: datetime) -> dict[str, str]:
    environments = read_environments(store, ["hostile"], now)
    pages = scorecard_pages(msgspec.convert(card, Scorecard), environments, ["hostile"])
    return {page.path: page.text for page in pages}


@pytest.fixture
def files(card: Any, store: Path, now: datetime) -> dict[str, str]:
    return _files(card, store, now)


def test_there_is_a_page_for_every_environment_and_every_runbook(files: dict[str, str]) -> None:
    assert {
        "scorecard/index.md",
        "scorecard/environments/broken.md",
        "scorecard/environments/healthy.md",
        "scorecard/checks/hostile.md",
        "scorecard/badges/broken.svg",
        "scorecard/badges/healthy.svg",
        "scorecard/trends/broken-light.svg",
        "scorecard/trends/broken-dark.svg",
    } <= set(files)


def test_nothing_hostile_is_alive(files: dict[str, str]) -> None:
    shown = {path: text for path, text in files.items() if path.endswith((".md", ".svg"))}
    assert [path for path, text in shown.items() if "<script" in text or "evil.example/x.js>" in text] == []


def test_measured_results_are_not_called_generated(files: dict[str, str]) -> None:
    assert [path for path, text in files.items() if "generated, not measured" in text.lower()] == []


def test_generated_results_are_marked_in_every_page_picture_and_file(card: Any, store: Path, now: datetime) -> None:
    files = _files(card | {"generated": True}, store, now)
    assert [path for path, text in files.items() if "generated, not measured" not in text.lower()] == []


def test_an_environment_says_what_fails_since_when_with_rows_and_evidence(files: dict[str, str]) -> None:
    text = files["scorecard/environments/broken.md"]
    assert (
        'began <time datetime="2026-11-01T06:00:00Z" data-age="short">2026-11-01 06:00 UTC</time> (2026-W44) or before'
        in text
    )
    assert "2 of 2 share broker" in text
    assert '<a href="../../evidence/broken/hostile.html#hostile-rows-hold-broken">' in text
    assert "<summary>2 rows</summary>" in text


def test_what_is_counted_beside_the_rows_that_fail_is_said(card: Any, store: Path, now: datetime) -> None:
    failing = card["tables"]["failing"][0]
    for of, said in (
        (failing["failed"], "</p>"),
        (failing["failed"] + 1, ": with what could not be judged or seen</p>"),
    ):
        failing["common"] = [{"entity": "broker", "value": "1", "touched": 2, "of": of}]
        text = _files(card, store, now)["scorecard/environments/broken.md"]
        assert f"2 of {of} share broker 1{said}" in text


def test_a_failure_says_because_of_what_if_its_run_is_in_the_store(card: Any, store: Path, now: datetime) -> None:
    def said(run: str) -> bool:
        card["tables"]["failing"][0]["run"] = run
        return "Because of: a broker &lt;script" in _files(card, store, now)["scorecard/environments/broken.md"]

    assert said("20261121T060000Z-000000000000")
    assert not said("20261114T060000Z-000000000000")


def test_an_environment_in_its_first_week_says_that_there_is_none_before(card: Any, store: Path, now: datetime) -> None:
    card["tables"]["changes"] = []
    page = "scorecard/environments/broken.md"
    assert "Nothing is new against the week before." in _files(card, store, now)[page]
    card["tables"]["trend"][0]["status"] = ["none", "none", "none", "scored"]
    assert "This is its first week: there is none before to compare it with." in _files(card, store, now)[page]


def test_a_row_without_a_key_is_told_by_its_message_alone(card: Any, store: Path, now: datetime) -> None:
    card["tables"]["failing"][0]["rows"] = [{"key": {}, "message": "one of 3", "outcome": "fail", "waived": False}]
    text = _files(card, store, now)["scorecard/environments/broken.md"]
    assert "</span> one of 3</li>" in text


def test_waived_failures_come_last(card: Any, store: Path, now: datetime) -> None:
    failing = card["tables"]["failing"]
    failing.insert(0, failing[0] | {"waived": True, "title": "Waived one"})
    text = _files(card, store, now)["scorecard/environments/broken.md"]
    fails = text.partition("## What fails")[2].partition("## New this week")[0]
    assert fails.index("Waived one") > fails.index("Holds ")


def test_waivers_have_owner_state_and_expiry(files: dict[str, str]) -> None:
    text = files["scorecard/environments/broken.md"].partition("## Waivers")[2].partition("## Drills")[0]
    for state in ("expired", "unused"):
        assert f"<td>{state}</td>" in text
    for state in ("expires soon", "in force"):  # true as of a moment, which is said, and told anew by who looks
        assert f'<td><span data-ends="2026-12-01" data-over="expired since">{state}</span></td>' in text
    assert "States as of <time" in text
    assert '<time datetime="2026-12-01" data-until>2026-12-01</time>' in text


def test_a_number_shows_its_weights_sums_and_method(files: dict[str, str]) -> None:
    text = files["scorecard/environments/broken.md"].partition('id="runbook-hostile"')[2]
    assert "<td>8</td><td>8</td><td>6</td><td>1</td><td>48</td><td>64</td>" in text
    assert "48 ÷ 64 = 62.5&nbsp;%; without waivers 40 ÷ 64 = 60&nbsp;%" in text
    assert 'href="../../explanation/scorecard-method.html"' in text
    assert 'href="../../evidence/broken/hostile.html"' in text


def test_the_picture_of_the_weeks_has_words_and_numbers_beside_it(files: dict[str, str]) -> None:
    text = files["scorecard/environments/broken.md"]
    assert "64 in 2026-W44, 62.5 in 2026-W47; lowest 62.5 in 2026-W47, highest 66 in 2026-W45" in text
    assert '<tr><th scope="row">2026-W46</th><td>silent</td><td>none</td>' in text
    assert '<tr><th scope="row">2026-W47</th><td><span class="rb-status rb-fail">' in text
    assert '<tr><th scope="row">2026-W45</th><td><span class="rb-status rb-pass">' in text
    assert "The scorecard holds no weeks" in files["scorecard/environments/healthy.md"]


def test_a_week_without_a_score_in_which_checks_fail_is_shown_as_that(card: Any, store: Path, now: datetime) -> None:
    def last(**values: list[Any]) -> str:
        card["tables"]["trend"][0].update(status=["scored", "scored", "silent", "unknown"], **values)
        text = _files(card, store, now)["scorecard/environments/broken.md"]
        return text.partition('<th scope="row">2026-W47</th>')[2].partition("</td>")[0]

    assert "rb-fail" in last(failed=[0, 0, None, 1])
    assert "rb-unknown" in last(failed=[0, 0, None, 0])
    assert last(failed=[], waived=[]) == "<td>unknown"  # a file of an older version


def test_the_page_of_checks_says_where_they_fail_and_how_long_a_fix_takes(files: dict[str, str]) -> None:
    text = files["scorecard/checks/hostile.md"]
    assert "4.5 days, of 3 fixed" in text
    assert (
        '<a href="../../scorecard/environments/broken.html">broken</a>: since 2026-W44, failing for ≥ 20 days' in text
    )
    assert '<a href="../../evidence/broken/hostile.html#hostile-rows-hold-broken">evidence</a>' in text


def test_the_page_of_checks_has_the_gravest_first_and_then_by_title(card: Any, store: Path, now: datetime) -> None:
    """The id of a check is not shown there, so an order by it looks like none."""
    [row] = card["tables"]["checks"]
    told = [("a", "low", "Any"), ("b", "high", "zinc"), ("c", "high", "Yes"), ("d", "critical", "Zoo")]
    card["tables"]["checks"] = [
        row | {"check": f"hostile/{name}", "severity": severity, "title": title} for name, severity, title in told
    ]
    text = _files(card, store, now)["scorecard/checks/hostile.md"].partition("## Where they fail")[0]
    places = [text.index(f">{title}<") for title in ("Zoo", "Yes", "zinc", "Any")]
    assert places == sorted(places)


def test_a_year_without_three_scores_has_no_picture_and_says_why(card: Any, store: Path, now: datetime) -> None:
    [trend] = card["tables"]["trend"]
    for scores, said in (
        ([None, None, None, 62.5], "One week of broken has a score: 62.5 in 2026-W47"),
        ([None, None, 64.0, 62.5], "64 in 2026-W46, 62.5 in 2026-W47"),
        ([None] * 4, "No week"),
    ):
        trend["score"] = trend["score_raw"] = scores
        files = _files(card, store, now)
        year = files["scorecard/environments/broken.md"].partition("## The year")[2].partition("## What fails")[0]
        assert said in year
        assert "<img" not in year
        assert [path for path in files if "trends/" in path] == []


def test_what_applies_nowhere_has_no_score_to_lack(card: Any, store: Path, now: datetime) -> None:
    for score in card["tables"]["scores"]:
        score.update(status="not_applicable", score=None, score_raw=None, coverage=None, failed=0)
    files = _files(card, store, now)
    number = files["scorecard/environments/broken.md"].partition('id="runbook-hostile"')[2]
    assert "No check of it applies here" in number
    assert "Coverage none" not in number
    assert "Score none" not in number
    cell = files["scorecard/index.md"].partition("not applicable</a>")[2].partition("</td>")[0]
    assert "<time" not in cell


def test_a_silent_environment_is_silent_since_its_last_run_wherever_it_is_told(
    card: Any, store: Path, now: datetime
) -> None:
    """One of which nothing is due any more has no row in the table, and its evidence knows its last run."""
    scores, trend = card["tables"]["scores"], card["tables"]["trend"]
    scores[:] = [score for score in scores if score["environment"] == "broken"]
    trend.append(trend[0] | {"environment": "healthy", "status": ["scored", "scored", "none", "none"]})
    trend[-1] |= {"score": [91.0, 93.7, None, None], "score_raw": [91.0, 93.7, None, None]}
    card["tables"].update({name: [] for name in ("changes", "waivers", "drills", "failing")})
    files = _files(card, store, now)
    moment = '<strong>● silent</strong> since <time datetime="2026-11-01T09:00:00Z"'
    here = files["scorecard/environments/healthy.md"]
    assert all(moment in text for text in (files["scorecard/index.md"], files["scorecard/weeks/2026-W47.md"], here))
    assert "silent, since 2026-11-01" in files["scorecard/badges/healthy.svg"]
    assert "silent or unknown: 0; not expected: 2." in here
    for good in ("No check fails", "Nothing is new", "No drill is overdue"):
        assert good not in here
    assert 'id="all-runbooks"' in here


def test_silent_since_the_last_week_known_without_evidence_and_never_reported_without_any(
    card: Any, tmp_path: Path, now: datetime
) -> None:
    scores, [trend] = card["tables"]["scores"], card["tables"]["trend"]
    scores[:] = [score for score in scores if score["environment"] == "broken"]
    files = _files(card, tmp_path / "none", now)
    assert "never reported" in files["scorecard/index.md"]
    assert "silent, never reported" in files["scorecard/badges/healthy.svg"]
    card["tables"]["trend"].append(trend | {"environment": "healthy", "status": ["none", "scored", "silent", "none"]})
    assert "<strong>● silent</strong> since week 2026-W45" in _files(card, tmp_path / "none", now)["scorecard/index.md"]

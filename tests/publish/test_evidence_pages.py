"""The pages of evidence: what needs a person in full, what complies in a line, everything under its anchor."""

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest

from runbook.evidence.store import write_run
from runbook.model.result import Outcome, Result
from runbook.model.run import Run
from runbook.parse.runbook import Runbook
from runbook.publish.evidence import EnvironmentEvidence, read_environments
from runbook.publish.evidence_pages import environment_index, evidence_index, evidence_pages


@pytest.fixture
def texts(store: Path, now: datetime) -> dict[str, str]:
    pages = evidence_pages(read_environments(store, ["hostile"], now), ["hostile"])
    return {page.path: page.text for page in pages}


def test_a_failure_shows_its_rows_what_they_share_and_what_was_not_seen(texts: dict[str, str]) -> None:
    text = texts["evidence/broken/hostile.md"]
    assert '<section class="rb-card rb-result">\n<details open>' in text
    assert '<div id="hostile-rows-hold-broken">' in text
    assert "name orders" in text
    assert "2 of 2 share broker" in text
    assert "data-until>2026-12-01</time>, for 1 of 2: until" in text
    assert "What could not be seen" in text
    assert 'href="../../runbooks/hostile/rows-hold.html"' in text


def test_what_complies_takes_one_line_under_its_anchor(texts: dict[str, str]) -> None:
    text = texts["evidence/healthy/hostile.md"]
    assert '<tr id="hostile-rows-hold-healthy">' in text
    assert "<section" not in text


def test_rows_that_were_not_kept_are_counted(store: Path, now: datetime) -> None:
    found = read_environments(store, ["hostile"], now)
    (broken,) = [environment for environment in found if environment.name == "broken"]
    (seen,) = broken.seen()
    seen.result.failed = 7
    (text,) = [page.text for page in evidence_pages([broken], []) if page.path == "evidence/broken/hostile.md"]
    assert "5 more rows are not kept" in text
    assert "2 of the 2 that are kept share broker" in text


def test_of_what_was_never_looked_at_no_rows_are_counted(store: Path, now: datetime) -> None:
    found = read_environments(store, ["hostile"], now)
    (broken,) = [environment for environment in found if environment.name == "broken"]
    (seen,) = broken.seen()
    seen.result.judged, seen.result.failed, seen.result.undecided, seen.result.rows = 0, 0, 0, []
    (text,) = [page.text for page in evidence_pages([broken], []) if page.path == "evidence/broken/hostile.md"]
    assert "judged" not in text.partition("What the verdict rests on")[0]
    assert "observed" not in text


def test_nothing_of_a_cluster_is_alive(texts: dict[str, str]) -> None:
    for text in texts.values():
        assert "<script" not in text
        assert "<img" not in text


def test_the_search_leaves_out_all_pages_but_the_first(texts: dict[str, str]) -> None:
    assert [path for path, text in texts.items() if "exclude: true" not in text] == ["evidence/index.md"]


def test_files_that_were_refused_are_named() -> None:
    text = environment_index(EnvironmentEvidence("prod", refused=["2026-11-21/x.jsonl: line 2 <b>"])).text
    assert "Left out, as they can't be trusted" in text
    assert "line 2 &lt;b&gt;" in text


def test_the_page_of_an_environment_says_who_answered_and_counts_by_runbook(texts: dict[str, str]) -> None:
    text = texts["evidence/broken/index.md"]
    assert "2 of 3 brokers answered" in text
    assert '<a href="hostile.html">hostile</a></th><td>1</td><td>0</td><td>0</td><td>0</td><td>0</td>' in text


def test_the_page_of_an_environment_names_the_causes_of_its_last_run(texts: dict[str, str]) -> None:
    text = texts["evidence/broken/index.md"]
    assert "<p>Failing because of:</p>" in text
    assert "<li>a broker &lt;script" in text
    assert "(<code>hostile/a-cause</code>, which explains 1 failing check)" in text
    assert "because of" not in texts["evidence/healthy/index.md"]


def test_without_results_the_index_says_how_to_get_some() -> None:
    assert "No results yet." in evidence_index([]).text


def test_the_index_counts_by_status_and_links(texts: dict[str, str]) -> None:
    row = '<a href="broken/index.html">broken</a></th><td>1</td><td>0</td><td>0</td><td>0</td><td>0</td>'
    assert row in texts["evidence/index.md"]


def test_measured_results_are_not_called_generated(texts: dict[str, str]) -> None:
    assert not any("Generated, not measured" in text for text in texts.values())


def test_generated_results_are_marked_on_every_page(
    tmp_path: Path,
    book: Runbook,
    now: datetime,
    make_result: Callable[..., Result],
    make_run: Callable[..., Run],
) -> None:
    run = make_run(book, "prod", [make_result(book.checks()[0], "prod", Outcome.PASS)], at=now)
    run.generated = True
    write_run(tmp_path, run)
    pages = list(evidence_pages(read_environments(tmp_path, ["hostile"], now), []))
    assert [page.path for page in pages if "Generated, not measured" not in page.text] == []


def test_the_evidence_of_a_silent_environment_says_that_it_is_of_then(store: Path, now: datetime) -> None:
    pages = evidence_pages(read_environments(store, ["hostile"], now), ["hostile"], silent=["healthy"])
    texts = {page.path: page.text for page in pages}
    since = "since <time datetime="
    assert f"● silent {since}" in texts["evidence/healthy/index.md"]
    assert f"● silent</strong> {since}" in texts["evidence/index.md"]
    assert "● silent" not in texts["evidence/broken/index.md"]

"""The pages of evidence: what needs a person first, rows, and what could not be seen."""

from datetime import datetime
from pathlib import Path

from runbook.publish.evidence import Environment, read_environments
from runbook.publish.evidence_pages import environment_page, evidence_index


def _pages(store: Path, now: datetime) -> dict[str, str]:
    found = read_environments(store, ["hostile"], now)
    return {environment.name: environment_page(environment, ["hostile"]).text for environment in found}


def test_a_failure_shows_its_rows_what_they_share_and_what_was_not_seen(store: Path, now: datetime) -> None:
    text = _pages(store, now)["broken"]
    assert '<section class="rb-card rb-result" id="hostile-rows-hold-broken">' in text
    assert "name orders" in text
    assert "2 of 2 share broker" in text
    assert "Waiver by sre &lt;script&gt; until 2026-12-01" in text
    assert "What could not be seen" in text
    assert "2 of 3 brokers answered" in text
    assert 'href="../runbooks/hostile.html#rows-hold"' in text


def test_rows_that_were_not_kept_are_counted(store: Path, now: datetime) -> None:
    (broken,) = [found for found in read_environments(store, ["hostile"], now) if found.name == "broken"]
    (seen,) = broken.seen()
    seen.result.failed = 7
    assert "5 more rows are not kept" in environment_page(broken, []).text


def test_nothing_of_a_cluster_is_alive(store: Path, now: datetime) -> None:
    for text in _pages(store, now).values():
        assert "<script" not in text
        assert "<img" not in text


def test_files_that_were_refused_are_named() -> None:
    text = environment_page(Environment("prod", refused=["2026-11-21/x.jsonl: line 2 <b>"]), []).text
    assert "Left out, as they can't be trusted" in text
    assert "line 2 &lt;b&gt;" in text


def test_without_results_the_index_says_how_to_get_some() -> None:
    assert "No results yet." in evidence_index([]).text


def test_the_index_counts_by_status_and_links(store: Path, now: datetime) -> None:
    text = evidence_index(read_environments(store, ["hostile"], now)).text
    assert '<a href="broken.html">broken</a></th><td>1</td><td>0</td><td>0</td><td>0</td><td>0</td>' in text

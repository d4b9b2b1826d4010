"""Links to evidence lead only to what is there."""

from datetime import datetime
from pathlib import Path

import pytest

from runbook.model.result import Outcome
from runbook.parse.runbook import Runbook
from runbook.publish.evidence import read_environments
from runbook.publish.evidence_links import EvidenceLinks
from runbook.publish.evidence_pages import results_page
from support.strangers_store import put_run

from .conftest import NOW, result, run_of


@pytest.fixture
def links(store: Path, now: datetime) -> EvidenceLinks:
    return EvidenceLinks(read_environments(store, ["hostile"], now))


def test_a_known_result_has_a_place_of_its_own(links: EvidenceLinks) -> None:
    found = links.result("broken", "hostile", "hostile/rows-hold", "broken")
    assert found == "evidence/broken/hostile.html#hostile-rows-hold-broken"


def test_what_is_not_in_the_store_leads_to_the_nearest_page(links: EvidenceLinks) -> None:
    assert links.result("broken", "hostile", "hostile/other", "broken") == "evidence/broken/hostile.html"
    assert links.runbook("broken", "never-run") == "evidence/broken/index.html"


def test_what_explained_a_failure_is_told_of_the_run_that_judged_it_alone(links: EvidenceLinks, evil: str) -> None:
    run = "20261121T060000Z-000000000000"
    assert links.because("broken", "hostile/rows-hold", run) == [f"a broker {evil}"]
    assert links.because("broken", "hostile/never-judged", run) == []
    assert links.because("broken", "hostile/rows-hold", "20261114T060000Z-000000000000") == []
    assert links.because("broken", "hostile/rows-hold", None) == []
    assert links.because("healthy", "hostile/rows-hold", run) == []


def test_why_checks_do_not_apply_is_linked_where_the_store_says_it(book: Runbook, tmp_path: Path) -> None:
    first, second = book.checks()[:2]
    none = result(second, "broken", Outcome.NOT_APPLICABLE)
    put_run(tmp_path, run_of(book, "broken", [result(first, "broken", Outcome.PASS), none], at=NOW))
    [environment] = read_environments(tmp_path, ["hostile"], NOW)
    why = EvidenceLinks([environment]).not_applicable("broken", "hostile")
    assert why == "evidence/broken/hostile.html#not-applicable"
    page = results_page(environment, "hostile", environment.by_runbook()["hostile"], [])
    assert "{ #not-applicable }" in page.text
    assert EvidenceLinks([]).not_applicable("broken", "hostile") == ""


def test_an_environment_without_evidence_has_no_link(links: EvidenceLinks) -> None:
    assert links.result("elsewhere", "hostile", "hostile/rows-hold", "elsewhere") == ""

"""Links to evidence lead only to what is there."""

from datetime import datetime
from pathlib import Path

import pytest

from runbook.publish.evidence import read_environments
from runbook.publish.evidence_links import EvidenceLinks


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


def test_an_environment_without_evidence_has_no_link(links: EvidenceLinks) -> None:
    assert links.result("elsewhere", "hostile", "hostile/rows-hold", "elsewhere") == ""

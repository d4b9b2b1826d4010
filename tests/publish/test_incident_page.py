"""The page for an incident: what it offers, and the scripts that it asks for."""

import json
from datetime import timedelta
from pathlib import Path

import pytest

from publish.conftest import NOW, fill, result, run_of
from runbook.model.diagnosis import CauseFound, Diagnosis
from runbook.model.result import Outcome
from runbook.parse.runbook import Runbook
from runbook.publish.evidence import read_environments
from runbook.publish.incident_page import incident_pages
from runbook.publish.page_context import PageContext
from runbook.publish.versions import VersionHistory
from runbook.run.sources.runbooks import read_all
from support.strangers_store import put_run


def pages(books: list[Runbook], store: Path, own: frozenset[str] = frozenset()) -> dict[str, str]:
    """The pages and scripts, by path."""
    environments = read_environments(store, [book.name for book in books], NOW)
    blocks = {placed.name: placed for book in books for placed in book.placed()}
    context = PageContext(environments, timedelta(days=8), blocks, VersionHistory(), own)
    return {page.path: page.text for page in incident_pages(books, context)}


def data(script: str) -> dict[str, object]:
    """What a script adds to its global."""
    return dict(json.loads(script.partition("||{},")[2].removesuffix(");\n")))


def test_without_results_the_page_says_so(tmp_path: Path) -> None:
    found = pages(read_all(["ha"]), tmp_path)
    assert "No environment has published results here" in found["incident.md"]
    assert "<select" not in found["incident.md"]
    assert not [path for path in found if path.startswith("scripts/verdicts/")]
    assert 'data-rb-show="ha/writers-are-refused"' in found["incident.md"]


def test_symptoms_of_ones_own_come_before_the_commonest(book: Runbook, tmp_path: Path) -> None:
    text = pages([book, *read_all(["ha"])], tmp_path, own=frozenset({"hostile"}))["incident.md"]
    assert 0 < text.find("hostile/writers-are-refused") < text.find("ha/writers-are-refused")


def test_each_block_with_something_to_do_has_a_card(tmp_path: Path) -> None:
    cards = data(pages(read_all(["ha"]), tmp_path)["scripts/cards/ha.js"])
    assert {"ha/writers-are-refused", "ha/broker-is-down", "ha/partitions-take-writes", "ha/bring-a-broker-back"} <= {
        *cards
    }
    procedure = str(cards["ha/bring-a-broker-back"])
    assert "runbook procedure walk ha#bring-a-broker-back --env ENVIRONMENT" in procedure
    check = str(cards["ha/partitions-take-writes"])
    assert "runbook check ha#partitions-take-writes --env ENVIRONMENT" in check


def test_a_procedure_that_leads_to_another_environment_names_both(tmp_path: Path) -> None:
    card = str(data(pages(read_all(["dr"]), tmp_path)["scripts/cards/dr.js"])["dr/fail-over"])
    assert "runbook procedure walk dr#fail-over --env SOURCE --to TARGET" in card


def test_a_place_that_needs_a_link_gets_it(tmp_path: Path) -> None:
    card = str(data(pages(read_all(["ha"]), tmp_path)["scripts/cards/ha.js"])["ha/replicas-are-behind"])
    assert 'href="runbooks/ha/broker-is-down.html"' in card


@pytest.mark.parametrize("is_known", [True, False])
def test_a_cause_counts_as_held_by_the_last_run_that_judged_its_runbook(
    book: Runbook, tmp_path: Path, *, is_known: bool
) -> None:
    (check, *_) = book.checks()
    run = run_of(book, "prod", [result(check, "prod", Outcome.FAIL)], at=NOW - timedelta(hours=3))
    name = f"{book.name}/it" if is_known else "other/it"
    run.diagnoses = [
        Diagnosis(
            environment="prod", causes=[CauseFound(cause=name, title="it", says="broker 2 is down", certain=True)]
        )
    ]
    put_run(tmp_path, run)
    verdicts = data(pages([book], tmp_path)["scripts/verdicts/prod.js"])["prod"]
    assert isinstance(verdicts, dict)
    assert verdicts["causes"] == ({name: ["broker 2 is down", 0]} if is_known else {})
    assert verdicts["runs"] == [run.started_at]
    status, place, href = verdicts["checks"][check.name]
    assert verdicts["statuses"][status][2] == "fail"
    assert (place, href.partition("#")[0]) == (0, f"evidence/prod/{book.name}.html")


def test_what_strangers_named_does_not_end_a_script(book: Runbook, tmp_path: Path) -> None:
    fill(tmp_path, book)
    found = pages([book], tmp_path)
    assert [path for path in found if path.startswith("scripts/verdicts/")]
    assert not [path for path, text in found.items() if path.startswith("scripts/") and "<" in text]

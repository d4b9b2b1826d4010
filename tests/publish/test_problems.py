"""What to fix first: one mistake counts once, the gravest first, with owner, age and first action."""

from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest

from runbook.model.diagnosis import CauseFound, Diagnosis
from runbook.model.result import Outcome
from runbook.model.run import Run
from runbook.parse.runbook import Runbook
from runbook.publish.evidence import read_environments
from runbook.publish.evidence_links import EvidenceLinks
from runbook.publish.first_steps import FirstStep, first_steps
from runbook.publish.owners import Owners
from runbook.publish.problems import WeekProblem, problems
from runbook.publish.scorecard import Scorecard
from support.strangers_store import put_run

from .conftest import NOW, result, run_of

AT = NOW - timedelta(hours=3)


def _failing(card: Any, *rows: dict[str, Any]) -> Scorecard:
    """The card with these failing checks, each as the sample's but for what is given."""
    sample = card["tables"]["failing"][0] | {"title": "It holds", "reason": "it does not hold", "rows": []}
    card["tables"]["failing"] = [sample | row for row in rows]
    return msgspec.convert(card, Scorecard)


def _problems(card: Scorecard, links: EvidenceLinks | None = None, owners: Owners | None = None) -> list[WeekProblem]:
    return problems(card, links or EvidenceLinks([]), owners or Owners(), {})


def test_a_check_that_fails_in_several_environments_is_one_problem(card: Any) -> None:
    [one] = _problems(_failing(card, *({"environment": name, "subject": name} for name in ("a", "b", "c"))))
    assert (one.kind, one.name, one.heals, one.environments) == ("check", "hostile/rows-hold", 3, ["a", "b", "c"])


def test_what_a_waiver_covers_is_no_problem(card: Any) -> None:
    assert _problems(_failing(card, {"waived": True})) == []


def test_the_gravest_comes_first_then_environments_times_age(card: Any) -> None:
    found = _problems(
        _failing(
            card,
            {"check": "x/old-and-low", "severity": "low", "failing_days": 300},
            {"check": "x/one-for-long", "severity": "high", "failing_days": 30},
            {"check": "x/new-and-critical", "severity": "critical", "failing_days": 0, "since_week": card["week"]},
            *({"check": "x/many", "severity": "high", "failing_days": 20, "environment": name} for name in "abc"),
        )
    )
    assert [one.name for one in found] == ["x/new-and-critical", "x/many", "x/one-for-long", "x/old-and-low"]
    assert [one.new for one in found] == [True, False, False, False]


@pytest.fixture
def run(book: Runbook) -> Run:
    """A run of `broken` in which both checks of the runbook fail."""
    return run_of(book, "broken", [result(check, "broken", Outcome.FAIL) for check in book.checks()], at=AT)


def _links(run: Run, store: Path) -> tuple[EvidenceLinks, Owners]:
    put_run(store, run)
    environments = read_environments(store, ["hostile"], NOW)
    return EvidenceLinks(environments), Owners(environments)


def _explained(run: Run, explains: Sequence[str]) -> None:
    cause = CauseFound(
        cause="hostile/a-cause", title="A cause", says="broker 2 is down", certain=True, explains=[*explains]
    )
    run.diagnoses = [Diagnosis(environment="broken", causes=[cause])]


def test_what_one_cause_explains_counts_once(card: Any, run: Run, tmp_path: Path) -> None:
    names = ["hostile/rows-hold", "hostile/never-judged"]
    _explained(run, names)
    read = _failing(card, *({"check": name, "run": run.id} for name in names), {"check": "x/other", "run": run.id})
    found = _problems(read, *_links(run, tmp_path))
    assert [(one.kind, one.says, one.heals) for one in found] == [
        ("cause", "broker 2 is down", 2),
        ("check", "it does not hold", 1),
    ]


def test_a_cause_of_another_run_explains_nothing(card: Any, run: Run, tmp_path: Path) -> None:
    _explained(run, ["hostile/rows-hold"])
    read = _failing(card, {"run": "20261114T060000Z-000000000000"})
    assert [one.kind for one in _problems(read, *_links(run, tmp_path))] == ["check"]


def test_topics_have_owners_of_their_own_and_the_rest_is_the_environments(card: Any, run: Run, tmp_path: Path) -> None:
    run.heads[0].owner, run.heads[0].owners = "platform", {"payments-*": "payments", "*": "nobody"}
    links, owners = _links(run, tmp_path)

    def owned(rows: list[dict[str, Any]]) -> list[str]:
        [one] = _problems(_failing(card, {"rows": rows}), links, owners)
        return one.owners

    assert owned([]) == ["platform"]
    assert owned([{"key": {"topic": "payments-raw"}, "message": "", "outcome": "fail", "waived": False}]) == [
        "payments"
    ]
    assert _problems(_failing(card, {"environment": "other"}), links, owners)[0].owners == []


def test_the_first_step_is_what_the_runbook_says(card: Any, book: Runbook) -> None:
    steps = first_steps([book])
    assert steps["hostile/rows-hold"].href == "runbooks/hostile/rows-hold.html"
    assert steps["hostile/rows-hold"].says().startswith("First do this:")
    [one] = problems(
        _failing(card, {}), EvidenceLinks([]), Owners(), {"hostile/rows-hold": FirstStep("Do it", "x.html")}
    )
    assert (one.first, one.href) == ("Do it", "x.html")
    [one] = _problems(_failing(card, {}))
    assert (one.first, one.href) == ("", "scorecard/environments/broken.html")


def test_the_first_step_of_a_cause_names_what_the_cause_is_about() -> None:
    step = FirstStep("Start broker {broker.broker} in {broker.rack}. Then wait.", "x.html")
    assert step.says({"broker": [2, 3]}) == "Start broker 2, 3 in …"
    assert step.says() == "Start broker … in …"

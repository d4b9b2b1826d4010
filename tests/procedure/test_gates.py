"""Gates are looked through as `runbook check` would, and what was not judged keeps them closed."""

from pathlib import Path

import pytest

from runbook.model.result import Outcome
from runbook.procedure.events import Event
from runbook.procedure.gates import Gates
from runbook.procedure.walk import CheckAt, Stage
from runbook.run.judgement.runner import Progress
from runbook.run.sources.runbooks import read_all
from support.small_walks import KEPT, MOVE


@pytest.fixture
def gates(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Gates:
    monkeypatch.chdir(tmp_path)
    Path("ours.md").write_text(MOVE, "utf-8")
    [book] = read_all(["ours.md"])
    return Gates(book, None, "lab", KEPT, 10.0, [])


def seen(gates: Gates, *checks: str) -> tuple[bool, dict[str, Outcome]]:
    looked = gates.look(Stage("before", 0, tuple(map(CheckAt, checks))), lambda _: None)
    return looked.entry.open, {seen.check: seen.outcome for seen in looked.entry.seen}


def test_a_gate_is_open_if_all_of_its_checks_pass(gates: Gates):
    assert seen(gates, "good", "ha/every-broker-answers") == (
        True,
        {"ours/good": Outcome.PASS, "ha/every-broker-answers": Outcome.PASS},
    )


def test_one_check_that_fails_closes_it(gates: Gates):
    assert seen(gates, "good", "bad") == (False, {"ours/good": Outcome.PASS, "ours/bad": Outcome.FAIL})


def test_a_neighbour_of_the_runbook_goes_before_a_built_in_one_of_its_name(gates: Gates):
    Path("ha.md").write_text(MOVE, "utf-8")
    assert seen(gates, "ha/bad") == (False, {"ha/bad": Outcome.FAIL})


def test_gates_of_built_in_procedures_are_judged_by_what_a_project_extends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    Path("runbook.yaml").write_text("runbooks: .\n", "utf-8")
    Path("ha.md").write_text(
        "---\ntitle: Ours\nextends: ha\nversion: 0.1.0\n"
        'changes: [{version: 0.1.0, date: "2026-11-24", note: Ours}]\n---\n'
        "```yaml {.amend}\nid: every-broker-answers\nexpect: {that: '!broker.answers'}\n```\n",
        "utf-8",
    )
    [book] = read_all(["dr"])
    assert book.origin == "built-in"
    gates = Gates(book, None, "lab", KEPT, 10.0, [])
    assert seen(gates, "ha/every-broker-answers") == (False, {"ha/every-broker-answers": Outcome.FAIL})


def test_how_far_it_is_is_told_meanwhile(gates: Gates):
    events: list[Event] = []
    gates.look(Stage("before", 0, (CheckAt("good"),)), events.append)
    assert any(isinstance(event, Progress) for event in events)


def test_the_cluster_that_was_looked_at_is_on_the_record(gates: Gates):
    looked = gates.look(Stage("before", 0, (CheckAt("good"),)), lambda _: None)
    assert looked.entry.cluster_id == looked.runs[0].heads[0].cluster_id != ""

"""Rows that no cause explains are told apart by all that was seen: of real clusters, as they are or changed."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

import runbook.run.check_run as checked
from runbook.cli.followed_run import execute
from runbook.evidence.bundle import Bundle, save_bundle
from runbook.model.diagnosis import Contrast
from runbook.model.fact import Fact
from runbook.model.run import Run
from runbook.parse.inventory import Waiver
from runbook.reports import ReportOptions
from runbook.reports.console import report
from runbook.run.check_run import Options
from support.evidence import record

URP = "ha/every-replica-is-in-sync"


def kept(shape: str, scene: str, state: str) -> Bundle:
    return record.read(record.place_of(shape, scene, state)).bundle


def judged(bundle: Bundle, folder: Path, runbook: str = "ha") -> Run:
    save_bundle(folder / "bundle.json", bundle)
    return execute(Options(runbooks=[runbook], bundle=folder / "bundle.json", deadline=60)).run


def contrasts(run: Run) -> dict[str, list[Contrast]]:
    [diagnosis] = run.diagnoses
    return diagnosis.contrasts


def changed(bundle: Bundle, probe: str, change: Callable[[dict[str, list[Any]]], None]) -> Bundle:
    def anew(fact: Fact) -> Fact:
        columns = {name: [*cells] for name, cells in fact.columns.items()}
        change(columns)
        return replace(fact, columns=columns)

    facts = [
        replace(one, facts={look: anew(fact) for look, fact in one.facts.items()}) if one.ask.probe == probe else one
        for one in bundle.kept
    ]
    return replace(bundle, kept=facts)


def one_way(columns: dict[str, list[Any]]) -> None:
    """Broker 3 can't fetch from 2: what 2 leads is out of sync at 3; all else is well."""
    for row, leader in enumerate(columns["leader"]):
        if leader == 2:
            columns["isr"][row], columns["out_of_sync"][row] = [1, 2], [3]


@pytest.fixture
def one_way_cut() -> Bundle:
    return changed(kept("plain", "stop-broker", "before"), "kafka_partition", one_way)


def test_a_path_that_is_cut_one_way_is_told_by_who_leads_there(one_way_cut: Bundle, tmp_path: Path) -> None:
    run = judged(one_way_cut, tmp_path)
    assert contrasts(run)[URP] == [Contrast("led by broker 2", 8, 8, 0, 16, {"broker": "2"})]
    first, then = report(run, ReportOptions()).split("\n\n")[1].splitlines()[:2]
    assert first.startswith("NO CAUSE")
    assert " ".join(then.split()) == "contrast led by broker 2: 8 of 8 failing partitions, 0 of 16 others"


def test_what_a_waiver_excuses_is_on_neither_side(one_way_cut: Bundle, tmp_path: Path) -> None:
    excused = Waiver(URP, "carol", "moves in January", "2099-01-01", {"topic": "clicks"})
    environments = {name: replace(one, waivers=[excused]) for name, one in one_way_cut.environments.items()}
    [told] = contrasts(judged(replace(one_way_cut, environments=environments), tmp_path))[URP]
    assert (told.says, told.failing, told.others, told.of_others) == ("led by broker 2", 6, 0, 16)


def test_what_a_cause_explains_is_not_told_apart(tmp_path: Path) -> None:
    run = judged(kept("groups", "hanging-transaction", "during"), tmp_path, "consumers")
    assert "consumers/no-transaction-stays-open" not in contrasts(run)


def test_other_facts_say_more_of_a_row(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Who leads is no column of what a group reads."""
    known = checked.known_causes
    monkeypatch.setattr(checked, "known_causes", lambda books: replace(known(books), causes=[]))
    run = judged(kept("groups", "hanging-transaction", "during"), tmp_path, "consumers")
    [told] = contrasts(run)["consumers/no-transaction-stays-open"]
    assert told.names == {"broker": "3", "topic": "parcels"}


def test_where_all_rows_fail_there_is_nothing_to_tell_them_from(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    known = checked.known_causes
    monkeypatch.setattr(checked, "known_causes", lambda books: replace(known(books), causes=[]))
    run = judged(kept("plain", "stop-broker", "during"), tmp_path)
    assert URP in run.diagnoses[0].unexplained
    assert contrasts(run) == {}

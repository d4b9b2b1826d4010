import datetime as dt
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import msgspec
import pytest

from kafka_lab.history import HistorySize, write_history
from kafka_lab.history.calendar import Calendar
from kafka_lab.history.definitions import definitions
from kafka_lab.history.environments import environments
from kafka_lab.history.fate import incidents
from runbook.evidence.chain import first_fault
from runbook.evidence.snapshot import read_snapshot
from runbook.evidence.store import write_run
from runbook.model.errors import UsageError
from runbook.plugins.content import builtin_runbooks
from support.small_runbooks import empty_run, result

UNTIL = dt.date(2026, 11, 21)
YEAR = HistorySize(UNTIL, environments=25, checks=40, weeks=30, seed=3)


def silently(_: str) -> None:
    """Nobody watches."""


def files(store: Path) -> dict[str, bytes]:
    return {str(file.relative_to(store)): file.read_bytes() for file in sorted(store.rglob("*")) if file.is_file()}


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("history")
    write_history(folder, YEAR, silently)
    return folder


@pytest.fixture(scope="module")
def records(store: Path) -> list[dict[str, Any]]:
    return [
        msgspec.json.decode(line)
        for file in sorted(store.glob("runs/*/*/*.jsonl"))
        for line in file.read_bytes().splitlines()
    ]


@pytest.fixture(scope="module")
def runs(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [record for record in records if record["kind"] == "run"]


@pytest.fixture(scope="module")
def results(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [record for record in records if record["kind"] == "result"]


def test_the_same_history_has_the_same_bytes_and_another_seed_others(tmp_path: Path) -> None:
    small = HistorySize(UNTIL, environments=3, checks=8, weeks=9)
    for name, seed in (("one", 1), ("again", 1), ("other", 2)):
        write_history(tmp_path / name, msgspec.structs.replace(small, seed=seed), silently)
    assert files(tmp_path / "one") == files(tmp_path / "again")
    assert files(tmp_path / "one") != files(tmp_path / "other")


def test_what_was_written_is_counted(store: Path, tmp_path: Path, results: list[Any], runs: list[Any]) -> None:
    texts: list[str] = []
    written = write_history(tmp_path / "copy", YEAR, texts.append)
    assert (written.runs, written.results) == (len(runs), len(results))
    assert texts[-1] == f"25 of 25: dev-sa-1, {len(results)} results so far"
    assert files(tmp_path / "copy") == files(store)


def test_every_run_says_that_it_is_generated(runs: list[dict[str, Any]]) -> None:
    assert {run["generated"] for run in runs} == {True}
    assert all("results are generated" in run["head"]["notes"][0] for run in runs)


def test_every_file_holds_its_chain_and_is_filed_where_readers_look(store: Path) -> None:
    for file in store.glob("runs/*/*/*.jsonl"):
        content = file.read_bytes()
        assert first_fault(content) is None
        first = msgspec.json.decode(content.splitlines()[0])
        assert file.parts[-3:] == (first["environment"], first["started_at"][:10], f"{first['run']}.jsonl")
        assert first["run"].startswith(first["started_at"][:19].replace("-", "").replace(":", "") + "Z-")


def test_snapshots_say_what_is_expected_and_every_run_has_all_of_it(store: Path, runs: list[dict[str, Any]]) -> None:
    snapshots = [read_snapshot(file.read_bytes()) for file in sorted(store.glob("expected/*/*.json"))]
    for run in (run for run in runs if run["trigger"] == "scheduled"):
        now = [snapshot for snapshot in snapshots if snapshot.at <= run["started_at"]][-1]
        books = now.environments[run["environment"]]
        due = [msgspec.to_builtins(check) for check in now.checks if check.runbook in books]
        assert run["expected"] == due


def test_every_expected_check_of_a_complete_run_has_one_result(records: list[dict[str, Any]]) -> None:
    judged: dict[tuple[str, str], list[str]] = defaultdict(list)
    for record in records:
        if record["kind"] == "result":
            judged[record["environment"], record["run"]].append(record["check"])
    for run in (record for record in records if record["kind"] == "run" and record["complete"]):
        assert judged[run["environment"], run["run"]] == [expected["check"] for expected in run["expected"]]


def test_environments_come_and_go_and_fall_silent(runs: list[dict[str, Any]]) -> None:
    calendar = Calendar(UNTIL, YEAR.weeks)
    spoke = {(run["environment"], run["started_at"][:10]) for run in runs if run["trigger"] == "scheduled"}
    made = environments(YEAR.environments, YEAR.weeks, YEAR.seed)
    for environment in made:
        weeks = {week for week in range(YEAR.weeks) if environment.speaks(week)}
        mondays = {(environment.name, calendar.monday(week).isoformat()) for week in weeks}
        assert mondays == {week for week in spoke if week[0] == environment.name}
    assert any(environment.begins > 0 for environment in made)
    assert any(environment.ends < YEAR.weeks for environment in made)
    assert any(YEAR.weeks - 1 in environment.silent for environment in made)
    assert any(environment.silent and YEAR.weeks - 1 not in environment.silent for environment in made)


def test_all_that_an_incident_breaks_shares_its_broker(results: list[dict[str, Any]]) -> None:
    calendar = Calendar(UNTIL, YEAR.weeks)
    by_week: dict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
    for verdict in results:
        by_week[verdict["environment"], verdict["started_at"][:10]].append(verdict)
    seen = 0
    for environment in environments(YEAR.environments, YEAR.weeks, YEAR.seed):
        for incident in incidents(environment, YEAR.weeks, YEAR.seed):
            week = by_week[environment.name, calendar.monday(incident.begins).isoformat()]
            broken = [record for record in week for row in record["rows"] if "is out of order" in row["message"]]
            for record in broken:
                assert [row["touches"]["broker"] for row in record["rows"]] == [[incident.broker]]
                assert [row["touches"]["rack"] for row in record["rows"]] == [[environment.rack(incident.broker)]]
            seen += len(broken) > 1
    assert seen


def test_offending_rows_have_keys_and_are_few_and_a_pass_has_none(results: list[dict[str, Any]]) -> None:
    for verdict in results:
        offending = [row for row in verdict["rows"] if row["outcome"] == "fail"]
        assert (verdict["outcome"] == "fail") == bool(offending)
        assert verdict["failed"] == len(offending) <= 4
        assert verdict["failed"] <= verdict["judged"]
        assert set().union(*(row["key"] for row in offending)) <= {"topic", "partition", "broker"}


def test_what_holds_on_names_the_same_rows_each_week(results: list[dict[str, Any]]) -> None:
    histories: dict[tuple[str, str], list[str]] = defaultdict(list)
    for verdict in results:
        if verdict["outcome"] == "fail" and verdict["trigger"] == "scheduled" and verdict["proof"] == "observed":
            histories[verdict["environment"], verdict["check"]].append(str([row["key"] for row in verdict["rows"]]))
    lasting = [rows for rows in histories.values() if len(rows) > YEAR.weeks // 2]
    assert lasting
    assert any(len(set(rows)) == 1 for rows in lasting)


def test_there_is_something_of_everything(runs: list[dict[str, Any]], results: list[dict[str, Any]]) -> None:
    outcomes = Counter(verdict["outcome"] for verdict in results)
    assert set(outcomes) == {"pass", "fail", "unknown", "not_applicable"}
    assert 0.02 < outcomes["fail"] / len(results) < 0.25
    assert {run["trigger"] for run in runs} == {"scheduled", "manual", "incident"}
    assert {True, False} == {run["complete"] for run in runs}
    assert any(verdict["waived"] for verdict in results)
    assert any(verdict["subject_kind"] == "link" and verdict["subject"] == "prod-eu-1→dr-eu-1" for verdict in results)
    assert any(verdict["proof"] == "drilled" and "days ago" in str(verdict["rows"]) for verdict in results)
    waivers = [(waiver, run["started_at"][:10]) for run in runs for waiver in run["head"]["waivers"]]
    assert {waiver["needed"] for waiver, _ in waivers} == {True, False}
    assert any(waiver["expires"] < day for waiver, day in waivers)
    assert not any(waiver["needed"] and waiver["expires"] < day for waiver, day in waivers)


def test_definitions_change_and_checks_appear_with_versions_of_their_runbook() -> None:
    made = definitions(200, 52, 1)
    for check in made:
        releases = {week for week, _ in check.versions}
        assert {*check.changed, check.begins} <= releases
        for week in check.changed:
            assert check.digest(week) != check.digest(week - 1)
            assert check.version(week) != check.version(week - 1)
        assert check.digest(51) == check.present
    assert any(check.changed for check in made)
    assert any(check.begins for check in made)
    assert len({check.check for check in made}) == len(made) == 200


def test_what_an_effect_says_names_the_values_of_parameters() -> None:
    effects = [one.effect for one in definitions(400, 4, 1)]
    assert any("{failed}" in effect for effect in effects)
    assert [effect for effect in effects if "{params." in effect] == []


def test_invented_checks_are_told_from_real_ones_by_their_runbook() -> None:
    by_book = Counter(definition.runbook for definition in definitions(200, 4, 1))
    real = {file.stem for file in builtin_runbooks().glob("*.md")}
    assert sum(by_book[name] for name in real) > 50
    assert all(name.endswith("-generated") for name in by_book.keys() - real)


def test_measured_results_are_never_mixed_with_made_up_ones(tmp_path: Path) -> None:
    write_run(tmp_path, empty_run("prod", results=[result("small/a", "prod")]))
    before = files(tmp_path)
    with pytest.raises(UsageError, match=r"holds measured results already, such as runs/prod/2026-11-21/"):
        write_history(tmp_path, YEAR, silently)
    assert files(tmp_path) == before


def test_a_history_is_not_written_over_another(store: Path) -> None:
    with pytest.raises(UsageError, match="holds generated results already"):
        write_history(store, msgspec.structs.replace(YEAR, seed=4), silently)


@pytest.mark.parametrize("size", [{"environments": 0}, {"checks": 10_000}, {"weeks": -1}])
def test_a_size_that_makes_no_sense_is_refused(tmp_path: Path, size: dict[str, int]) -> None:
    with pytest.raises(UsageError, match=next(iter(size))):
        write_history(tmp_path / "new", msgspec.structs.replace(YEAR, **size), silently)
    assert not (tmp_path / "new").exists()


def test_no_run_begins_after_the_last_day(tmp_path: Path) -> None:
    monday = dt.date(2026, 11, 16)
    write_history(tmp_path, HistorySize(monday, environments=10, checks=5, weeks=6), silently)
    days = {file.parts[-2] for file in tmp_path.glob("runs/*/*/*.jsonl")}
    assert max(days) == "2026-11-16"

"""Reading a results store for the site: the newest of each check, and only what can be trusted."""

from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

from runbook.evidence.store import write_run
from runbook.model.result import Outcome, Result
from runbook.model.run import Run
from runbook.parse.runbook import Runbook
from runbook.publish.evidence import moment, read_environments

Make = Callable[..., Result]
MakeRun = Callable[..., Run]


def test_a_store_that_is_not_there_has_no_environments(tmp_path: Path, now: datetime) -> None:
    assert read_environments(tmp_path / "none", ["ha"], now) == []


def test_the_newest_result_of_each_check_is_shown_also_of_a_partial_run(
    tmp_path: Path, book: Runbook, now: datetime, make_result: Make, make_run: MakeRun
) -> None:
    first, second = book.checks()
    whole = [make_result(first, "prod", Outcome.PASS), make_result(second, "prod", Outcome.PASS)]
    write_run(tmp_path, make_run(book, "prod", whole, at=now - timedelta(days=1)))
    partial = [make_result(first, "prod", Outcome.FAIL, failed=1)]
    write_run(tmp_path, make_run(book, "prod", partial, at=now - timedelta(hours=1), complete=False))
    (found,) = read_environments(tmp_path, ["hostile"], now)
    assert [(seen.result.check, seen.status, now - moment(seen.run.started_at)) for seen in found.seen()] == [
        (second.name, "pass", timedelta(days=1)),
        (first.name, "fail", timedelta(hours=1)),
    ]


def test_results_under_an_old_name_are_those_of_the_check_as_it_is_called_now(
    tmp_path: Path, book: Runbook, now: datetime, make_result: Make, make_run: MakeRun
) -> None:
    first, second = book.checks()
    results = [make_result(first, "prod", Outcome.PASS), make_result(second, "prod", Outcome.PASS)]
    write_run(tmp_path, make_run(book, "prod", results, at=now - timedelta(days=1)))
    (found,) = read_environments(tmp_path, ["hostile"], now, {first.name: "hostile/new"})
    assert {*found.results} == {"hostile/new", second.name}
    assert found.last
    assert [expected.check for expected in found.last.expected] == ["hostile/new", second.name]


def test_a_file_that_was_changed_is_named_and_not_believed(
    tmp_path: Path, book: Runbook, now: datetime, make_result: Make, make_run: MakeRun
) -> None:
    failing = make_result(book.checks()[0], "prod", Outcome.FAIL, failed=1)
    (file,) = write_run(tmp_path, make_run(book, "prod", [failing], at=now))
    file.write_bytes(file.read_bytes().replace(b'"outcome":"fail"', b'"outcome":"pass"'))
    (found,) = read_environments(tmp_path, ["hostile"], now)
    assert found.results == {}
    assert found.last is None
    assert "line 2: changed after it was written" in found.refused[0]


def test_a_failure_that_a_waiver_covers_whole_is_shown_as_waived(store: Path, now: datetime) -> None:
    environments = {found.name: found for found in read_environments(store, ["hostile"], now)}
    (seen,) = environments["broken"].seen()
    assert seen.status == "fail"  # its waiver names one of two rows


def test_results_get_stale(store: Path, now: datetime) -> None:
    stale = {
        found.name: [seen.stale(timedelta(days=8)) for seen in found.seen()]
        for found in read_environments(store, ["hostile"], now)
    }
    assert stale["healthy"] == [True]
    assert stale["broken"] == [False]


def test_the_look_before_is_kept_to_compare_with(
    tmp_path: Path, book: Runbook, now: datetime, make_result: Make, make_run: MakeRun
) -> None:
    first = book.checks()[0]
    outcomes = (Outcome.UNKNOWN, Outcome.PASS, Outcome.FAIL)
    for days, outcome in zip((3, 2, 1), outcomes, strict=True):
        result = make_result(first, "prod", outcome, failed=int(outcome is Outcome.FAIL))
        write_run(tmp_path, make_run(book, "prod", [result], at=now - timedelta(days=days)))
    (found,) = read_environments(tmp_path, ["hostile"], now)
    (seen,) = found.seen()
    assert (seen.status, found.earlier[seen.about].status) == ("fail", "pass")
    assert len(seen.link) == 64

"""What a screen of so many lines leaves out, and that it says so."""

from msgspec.structs import replace

from runbook.model.diagnosis import CauseFound, ChangesSince, Diagnosis, LabelledSentence
from runbook.model.result import JudgedRow, Outcome, Result
from runbook.model.run import Head, Run
from runbook.reports import ReportOptions, Source
from runbook.reports._brief import LEAST
from runbook.reports.console import report
from support.small_runbooks import result

_LONG = "a sentence that takes more than one line of a terminal, as those of causes and of checks mostly do, "


def _fails(number: int, severity: str = "high") -> Result:
    rows = [JudgedRow({"topic": f"orders-{row}"}, f"{_LONG} {row}") for row in range(9)]
    failed = result(f"ha/check-{number}", "prod", Outcome.FAIL, severity=severity, reason=f"finding {number}")
    return replace(failed, rows=rows, failed=9, remedy=f"Mend what is wrong with {number}. {_LONG}")


def _cause(kind: str, number: int) -> CauseFound:
    return CauseFound(
        cause=f"ha/{kind}",
        title=kind,
        says=f"{kind} of broker {number}: {_LONG}",
        certain=True,
        proof=[f"proof of {kind} {number}: {_LONG}"],
        first=f"first of {kind}: {_LONG}",
        avoid=f"never do {kind}",
    )


def _run(results: list[Result], diagnosis: Diagnosis | None = None) -> Run:
    cells = {"complete": True, "started_at": "2026-11-24T07:00:00.000Z", "deadline_ms": 10_000}
    diagnoses = [diagnosis] if diagnosis else []
    return Run("r", "0", "manual", heads=[Head("prod")], results=results, diagnoses=diagnoses, **cells)


def _screen(run: Run, lines: int | None = LEAST) -> list[str]:
    return report(run, ReportOptions(lines=lines)).splitlines()


def test_many_causes_and_failures_fit_and_are_counted() -> None:
    results = [_fails(number) for number in range(12)]
    causes = [_cause(f"kind-{number}", number) for number in range(4)]
    changes = ChangesSince(
        since="2026-11-16T06:00:00.000Z", run="r", sentences=[LabelledSentence("new", _LONG)] * 3, more=0, by_causes=0
    )
    said = Diagnosis(
        environment="prod", causes=causes, effects=[LabelledSentence("now", f"stopped: {_LONG}")], changes=changes
    )
    said.unexplained += [result.check for result in results]
    screen = _screen(_run(results, said))
    text = " ".join(" ".join(screen).split())
    assert len(screen) <= LEAST
    for words in ("kind-0 of broker 0", "stopped: a sentence", "first of kind-0", "never do kind-0"):
        assert words in text
    shown = sum(line.startswith("CAUSE ") for line in screen)
    assert f"CAUSES {len(causes) - shown} more: --full" in text
    assert "12 more failing checks that no cause explains, the worst high: --full" in text
    assert "3 more: runbook diff last --env prod" in text
    assert "0 pass 12 fail 0 unknown" in text


def test_findings_without_a_cause_fit_worst_first_and_the_rest_is_counted() -> None:
    screen = _screen(_run([_fails(1, "critical"), *(_fails(number) for number in range(2, 30))]))
    assert len(screen) <= LEAST
    failing = [line for line in screen if line.startswith("FAIL")]
    assert "critical" in failing[0]
    assert f"{29 - len(failing)} more failing checks, the worst high: --full" in screen


def test_a_screen_with_room_is_told_everything() -> None:
    run = _run([_fails(1), _fails(2), _fails(3)])
    whole = _screen(run, None)
    assert len(whole) > LEAST
    assert _screen(run, len(whole)) == whole
    assert len(_screen(run, len(whole) - 1)) < len(whole)


def test_many_environments_fit_and_the_rest_is_counted() -> None:
    run = _run([replace(_fails(1), environment=f"site-{number:02}") for number in range(50)])
    run.heads = [Head(f"site-{number:02}") for number in range(50)]
    screen = _screen(run)
    assert len(screen) <= LEAST
    sites = [line for line in screen if line.startswith("site-")]
    assert sites
    assert any(line.startswith(f"{50 - len(sites)} more environments") for line in screen)


def test_many_runbooks_of_one_release_are_counted_and_in_full_named() -> None:
    names = ["capacity", "dr", "gc", "ha", "topics"]
    results = [replace(result(f"{name}/a", "prod"), runbook=name, runbook_version="1.0.0") for name in names]
    made = _run(results)
    options = ReportOptions(runbooks=tuple(Source(name, name.title(), "1.0.0", "built-in") for name in names))
    assert report(made, options).startswith("5 runbooks (1.0.0, built-in) · ")
    assert report(made, replace(options, full=True)).startswith("capacity 1.0.0 (built-in) · ")
    mine = replace(options, runbooks=(*options.runbooks[1:], Source("capacity", "Capacity", "1.0.0", "./c.md")))
    assert report(made, mine).startswith("capacity 1.0.0 (./c.md) · ")

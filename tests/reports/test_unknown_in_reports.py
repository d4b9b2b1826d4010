"""What a report says of what is not known: never what it says of zero, false, empty or "none".

Every report, on results of real systems: one place after the other that may hold an unknown, as its type declares, is
made unknown. This finds the next report, and the next field, by itself.
"""

from collections import defaultdict
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from msgspec.structs import replace

from runbook.model.result import Outcome, Result
from runbook.model.run import Head, Run
from runbook.plugins.catalog import catalog
from runbook.plugins.content import builtin_runbooks
from runbook.reports import ReportOptions
from support.evidence import record
from support.evidence.judging import judged
from support.unknowns import Place, lines_mistaken, look_alikes, places_in, put

pytestmark = [pytest.mark.kept, pytest.mark.xdist_group("unknown in reports")]

EXAMPLES = 6  # of each field
OPTIONS = ReportOptions(rows=None, full=True, width=400)

NEVER_SHOWN = {
    ("junit", "Head.brokers"): "a suite's properties say which cluster it is of, and its cases what is wrong",
    ("junit", "Head.answering"): "a suite's properties say which cluster it is of, and its cases what is wrong",
    ("junit", "Head.silent"): "a suite's properties say which cluster it is of, and its cases what is wrong",
    ("console", "JudgedRow.touches"): "it says what (nearly) all rows touch, and here one cell of one row changes",
    ("markdown", "JudgedRow.touches"): "as on the console",
    ("markdown", "Result.params"): "a ticket is about what is wrong, not what it was judged with",
    ("junit", "Result.params"): "CI servers show verdicts, not what they were judged with",
    ("junit", "JudgedRow.touches"): "CI servers show verdicts, not what rows have in common",
    ("sarif", "Head.brokers"): "as in junit",
    ("sarif", "Head.answering"): "as in junit",
    ("sarif", "Head.silent"): "as in junit",
    ("sarif", "Result.params"): "as in junit",
    ("sarif", "JudgedRow.touches"): "as in junit",
} | {
    (form, f"Head.{field}"): "an annotation says what is wrong at a line, and nothing of the cluster"
    for form in ("github", "lines")
    for field in ("answering", "brokers", "cluster_id", "kafka_version", "mode", "silent")
}
NEVER_SHOWN |= {
    (form, field): "as in junit" for form in ("github", "lines") for field in ("Result.params", "JudgedRow.touches")
}
"""Report and field → why what a report says does not hang on it."""


def reports() -> list[str]:
    return catalog("reports").names()


@cache
def results() -> list[Result]:
    """What every runbook says of one state of a real system, failures first: only these show their rows and waivers."""
    found: list[Result] = []
    states = [record.read(file) for file in record.kept()]
    for name in sorted(file.stem for file in builtin_runbooks().glob("*.md")):
        bundle = next((state.bundle for state in states if name in state.runbooks), None)
        if bundle is not None:
            with TemporaryDirectory() as folder:
                found += judged(bundle, name, Path(folder)).values()
    return sorted(found, key=lambda result: result.outcome is not Outcome.FAIL)


def run_of(result: Result) -> Run:
    """A run of one result, whose environment set all of its parameters: reports show what is set."""
    ranking = result.ranking
    head = Head(result.environment, "id", "4.1.1", "KRaft", brokers=3, answering=2, silent=[2], ranking=ranking)
    shown = replace(result, overridden=[*result.params])
    times = {"started_at": "2026-11-21T10:00:00Z", "deadline_ms": 10_000}
    return Run("r", "0.1.0", "manual", complete=True, **times, heads=[head], results=[shown])


@cache
def examples() -> dict[str, list[tuple[Run, Place]]]:
    """Field → places that hold it, each of another result."""
    found: dict[str, list[tuple[Run, Place]]] = defaultdict(list)
    for result in results():
        run = run_of(result)
        first = {place.field: place for place in reversed(list(places_in(run)))}
        for field, place in first.items():
            if len(found[field]) < EXAMPLES:
                found[field].append((run, place))
    return found


@pytest.mark.parametrize("name", reports())
def test_what_is_not_known_looks_like_nothing_else(name: str):
    report = catalog("reports").load(name).report
    wrong: dict[str, str] = {}
    shown = set()
    for field, held in examples().items():
        for run, place in held:
            said = lambda value, run=run, spot=place: report(put(run, spot.path, value), OPTIONS)  # noqa: E731
            one, another = map(said, place.known())
            if one != another:
                shown.add(field)
                for like in look_alikes(run, place):
                    if lines := lines_mistaken(said(None), one, another, said(like)):
                        wrong[f"{field} as {like!r}"] = lines[0]
    assert wrong == {}
    never = {field for report_name, field in NEVER_SHOWN if report_name == name}
    assert examples().keys() - shown == never

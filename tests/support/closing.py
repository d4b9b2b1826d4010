"""What a run of the tests says of itself in the end: what ran live, what judged kept evidence, where the time went."""

import datetime as dt
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence

import pytest

from runbook.model import moment
from support.beside import group_of, name_of
from support.evidence import record

LEFT_OUT = "left out"
"""What a test notes of a procedure that it walked wrong: a line for each step that was left out."""
KINDS = ("live", "kept")
"""Markers of tests that are counted."""
SLOWEST = 10
GROUPS = 8


@pytest.fixture
def notes(record_property: Callable[[str, object], None]) -> Callable[[Sequence[str]], None]:
    """Keep lines about steps that were left out for the end of the run."""

    def keep(lines: Sequence[str]) -> None:
        for line in lines:
            record_property(LEFT_OUT, line)

    return keep


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Note what a report doesn't hold: a folder may be called as a marker is."""
    for item in items:
        item.user_properties += [("kind", kind) for kind in KINDS if item.get_closest_marker(kind)]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Write it, wherever the tests ran."""
    reports = [
        report
        for outcome in ("passed", "failed", "error", "xfailed", "xpassed", "")
        for report in terminalreporter.stats.get(outcome, ())
        if isinstance(report, pytest.TestReport)
    ]
    if not reports:
        return
    terminalreporter.section("what was proved how, and where the time went")
    for line in summary(reports):
        terminalreporter.write_line(line)


def summary(reports: Sequence[pytest.TestReport]) -> list[str]:
    """The lines about tests that ran; each has a report for its set-up, its call and its end."""
    tests: dict[str, float] = defaultdict(float)
    groups: dict[str, float] = defaultdict(float)
    ran: dict[str, set[str]] = defaultdict(set)
    for report in reports:
        tests[name_of(report.nodeid)] += report.duration
        groups[group_of(report.user_properties)] += report.duration
        if report.when == "call":
            for kind in ("all", *(str(value) for key, value in report.user_properties if key == "kind")):
                ran[kind].add(report.nodeid)
    age = _age() if ran["kept"] else ""
    return [
        f"{len(ran['live'])} tests live, {len(ran['kept'])} on kept evidence{age}, {len(ran['all'])} in all",
        *_longest("the slowest tests:", tests, SLOWEST),
        *_longest("the longest groups, each in one process:", groups, GROUPS),
        *_left_out(reports),
    ]


def _left_out(reports: Iterable[pytest.TestReport]) -> list[str]:
    lines = [
        f"  {value}"
        for report in reports
        for key, value in report.user_properties
        if key == LEFT_OUT and report.when == "teardown"
    ]
    return ["steps of procedures that were left out, and what noticed it:", *lines] if lines else []


def _age() -> str:
    """How old the evidence is that tests judge, to be said beside their number."""
    made = sorted(moment.read(record.read(file).made_at) for file in record.kept())
    oldest = (dt.datetime.now(dt.UTC) - made[0]).days if made else 0
    return f" of {len(made)} states, the oldest {oldest} days old" if made else ""


def _longest(title: str, seconds: dict[str, float], count: int) -> list[str]:
    first = sorted(seconds.items(), key=lambda entry: -entry[1])[:count]
    return [title, *(f"{took:9.1f} s  {name}" for name, took in first)]

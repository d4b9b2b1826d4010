"""How a lab stood when a test on it failed: the report says it, as nothing else is left of a lab after the run."""

from collections.abc import Generator, Iterator
from pathlib import Path

import pytest

from kafka_lab import LabState
from kafka_lab.state import read

LINES = 12
"""Of each broker's log: the last that matter, and the end of what its JVM printed. CI keeps a part of what is told."""
MATTER = (
    " WARN ",
    " ERROR ",
    " FATAL ",
    " Completed transition to ",
    "encing broker ",
    "Terminating process",
    "] Transition from ",
)
"""Marks of lines that matter: what went wrong, who won which election, who was fenced, what ended a broker."""
USUAL = ("Detected non-monotonic update", "log level of ", "UNKNOWN_TOPIC_OR_PARTITION")
"""Marks of warnings that a lab which is well writes too."""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Add it to the report of a test that failed, before anything is healed."""
    report = yield
    if report.failed:
        for lab in _labs_of(item):
            report.sections.append((f"how lab {lab.name} stood", "\n".join(state_of(lab))))
    return report


def state_of(lab: LabState) -> Iterator[str]:
    """Its faults, and of each broker how its process is and what of weight it wrote last."""
    lab = read(lab.name, Path(lab.folder).parent) or lab  # what the test holds is how it was when that began
    yield f"faults in force: {', '.join(lab.faults) or 'none'}"
    for broker in lab.brokers:
        log = lab.log_of(broker)
        yield f"broker {broker.number}: {broker.condition}"
        yield from end_of(log, only=MATTER)
        yield from end_of(log.with_suffix(".out"))


def end_of(file: Path, only: tuple[str, ...] = ()) -> list[str]:
    """The last lines of a file, or the last with one of these marks; none where there is no such file."""
    if not file.exists():
        return []
    lines = file.read_text(errors="replace").splitlines()
    matter = [line for line in lines if not only or (_has(line, only) and not _has(line, USUAL))]
    return [f"  {line[:200]}" for line in matter[-LINES:]]


def _has(line: str, marks: tuple[str, ...]) -> bool:
    return any(mark in line for mark in marks)


def _labs_of(item: pytest.Item) -> Iterator[LabState]:
    found = [lab for lab in getattr(item, "funcargs", {}).values() if isinstance(lab, LabState)]
    for lab in {lab.folder: lab for lab in found}.values():
        yield from lab.clusters

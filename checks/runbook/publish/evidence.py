"""The last results of each environment, read from a results store (`evidence/store.py`) and trusted only if whole."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from datetime import datetime, timedelta
from pathlib import Path
from types import MappingProxyType

import msgspec
from msgspec import Struct, field, structs

from runbook.evidence.chain import first_fault, link_of
from runbook.evidence.lines import WholeResultLine, WholeRunLine
from runbook.evidence.lines_of_today import run_of_today
from runbook.model.result import Result
from runbook.publish.when import moment

MAX_RUNS = 100  # our judgement: three months of daily runs, should no complete one be among them


class LastSeen(Struct, frozen=True):
    """A result, the run that it comes from, and the chain value of its line in that run's file."""

    result: Result
    run: WholeRunLine
    now: datetime
    link: str = ""

    @property
    def about(self) -> tuple[str, str]:
        """What it is a result of: its check and its subject."""
        return self.result.check, self.result.subject

    @property
    def status(self) -> str:
        """The word under which it is shown: its outcome, or `waived`."""
        if self.result.unobserved:
            return "unobserved"
        return "waived" if self.result.waived else self.result.outcome.value

    def stale(self, after: timedelta) -> bool:
        """Whether it was older than results may be when the page was made, or from a clock that runs ahead."""
        old = self.now - moment(self.run.started_at)
        return not timedelta(0) <= old <= after


class EnvironmentEvidence(Struct):
    """What is known of one environment.

    Attributes:
        name: as its folder is called.
        last: its newest run that could be read.
        results: check -> its newest results, one for each subject.
        earlier: check and subject -> the result before the newest one, where the runs that are read hold one.
        refused: files that could not be trusted, and why.
    """

    name: str
    last: WholeRunLine | None = None
    results: dict[str, list[LastSeen]] = field(default_factory=dict)
    earlier: dict[tuple[str, str], LastSeen] = field(default_factory=dict)
    refused: list[str] = field(default_factory=list)

    def seen(self) -> Iterator[LastSeen]:
        """Yield every result, check by check."""
        for results in self.results.values():
            yield from results

    @property
    def generated(self) -> bool:
        """Whether any of it was made up, to have something to look at."""
        return any(seen.run.generated for seen in self.seen())

    def by_runbook(self) -> dict[str, list[LastSeen]]:
        """Its results for each runbook."""
        found: dict[str, list[LastSeen]] = {}
        for seen in self.seen():
            found.setdefault(seen.result.runbook, []).append(seen)
        return dict(sorted(found.items()))


def read_environments(
    store: Path, wanted: Collection[str], now: datetime, names: Mapping[str, str] = MappingProxyType({})
) -> list[EnvironmentEvidence]:
    """Read the last results of every environment of a store.

    Args:
        store: the folder of a results store; it need not exist.
        wanted: runbooks that are published; reading back ends when two complete runs of each of them were seen.
        now: when the pages are made.
        names: old names of checks and causes → present ones.
    """
    folders = sorted(folder for folder in store.glob("runs/*") if folder.is_dir())
    return [_environment(folder, wanted, now, names) for folder in folders]


def _environment(folder: Path, wanted: Collection[str], now: datetime, names: Mapping[str, str]) -> EnvironmentEvidence:
    found = EnvironmentEvidence(folder.name)
    newest_first = sorted(folder.glob("*/*.jsonl"), key=lambda file: (file.parent.name, file.name), reverse=True)
    missing = Counter(dict.fromkeys(wanted, 2))  # complete runs: the last one, and the one that it is compared with
    for file in newest_first[:MAX_RUNS]:
        try:
            run, results = _read(file, now, names)
        except ValueError as error:
            found.refused.append(f"{file.parent.name}/{file.name}: {error}")
            continue
        found.last = found.last or run
        fresh: dict[str, list[LastSeen]] = {}
        for seen in results:
            if seen.result.check in found.results:
                found.earlier.setdefault(seen.about, seen)
            else:
                fresh.setdefault(seen.result.check, []).append(seen)
        found.results |= fresh
        if run.complete:
            missing -= Counter({expected.runbook for expected in run.expected})
        if not missing:
            break
    found.results = dict(sorted(found.results.items()))
    return found


def _read(file: Path, now: datetime, names: Mapping[str, str]) -> tuple[WholeRunLine, list[LastSeen]]:
    """Read one run.

    Raises:
        ValueError: it can't be read, was changed, or is not of the form this version reads.
    """
    try:
        content = file.read_bytes()
    except OSError as error:
        raise ValueError(f"can't be read: {error.strerror}") from error
    if wrong := first_fault(content):
        raise ValueError(str(wrong))
    first, *others = content.splitlines()
    try:
        run = run_of_today(msgspec.json.decode(first, type=WholeRunLine), names)
        return run, [LastSeen(_result(line, names), run, now, link_of(line)) for line in others[:-1]]
    except msgspec.DecodeError as error:
        raise ValueError(f"not as this version writes results: {error}") from error


def _result(line: bytes, names: Mapping[str, str]) -> Result:
    result = msgspec.json.decode(line, type=WholeResultLine)
    return structs.replace(result, check=names[result.check]) if result.check in names else result

"""List the runs of a results store."""

import fnmatch
from collections import Counter, defaultdict
from collections.abc import Sequence

from runbook.evidence.lines import ResultLine, RunLine
from runbook.evidence.reading import examine
from runbook.evidence.snapshot import Changes
from runbook.evidence.store import Store, StoredFile
from runbook.evidence.store_layout import EXPECTED
from runbook.incident.run_marks import marks
from runbook.judge.summary import counted
from runbook.model.exit_code import ExitCode
from runbook.model.result import Outcome
from runbook.terminal.columns import beside

_WAIVED = "waived"  # fails, and a waiver excuses all of it: reports and the scorecard count it so, too
_WORDS = {
    Outcome.PASS: "pass",
    Outcome.FAIL: "fail",
    _WAIVED: "waived",
    Outcome.UNKNOWN: "unknown",
    Outcome.NOT_APPLICABLE: "not applicable",
}


def list_runs(store: Store, patterns: Sequence[str], limit: int) -> int:
    """Print the last runs of each environment, and give the exit code.

    Args:
        store: the store.
        patterns: names or globs of environments; none: all.
        limit: runs per environment.
    """
    by_environment: dict[str, list[str]] = defaultdict(list)
    for path in store.sizes():
        parts = path.split("/")
        if parts[0] != EXPECTED and _is_meant(parts[1], patterns):
            by_environment[parts[1]].append(path)
    shown = {path for paths in by_environment.values() for path in sorted(paths)[-limit:]}
    if not shown:
        print(f"{store.name} holds no results{' of ' + ', '.join(patterns) if patterns else ''}")
        return ExitCode.NOTHING
    found = {stored.path: stored for stored in store.read(lambda path, _: path in shown)}
    for environment, paths in sorted(by_environment.items()):
        print(f"{environment}  ({counted(len(paths), 'run')})")
        for path in sorted(paths, reverse=True)[:limit]:
            print(_line(found[path]))
    return 0


def _is_meant(environment: str, patterns: Sequence[str]) -> bool:
    return not patterns or any(fnmatch.fnmatchcase(environment, pattern) for pattern in patterns)


def _line(found: StoredFile) -> str:
    run = found.path.rpartition("/")[2].removesuffix(".jsonl")
    lines = list(examine(found.content, found.path)) if not found.trouble else []
    records = [line.record for line in lines]
    head = next((record for record in records if isinstance(record, RunLine)), None)
    if head is None:
        why = found.trouble or next(line.reason for line in lines if line.reason)
        return beside(f"  {run}  ", f"can't be read: {why}")
    counts = Counter(
        _WAIVED if record.waived else record.outcome for record in records if isinstance(record, ResultLine)
    )
    outcomes = ", ".join(f"{counts[outcome]} {word}" for outcome, word in _WORDS.items() if counts[outcome])
    changed = "not as it was written: runbook results verify" if any(line.reason for line in lines) else ""
    note = marks(head, changed)
    said = f"{head.started_at[:16].replace('T', ' ')}  {head.trigger:9}  {outcomes or 'nothing judged'}"
    return beside(f"  {run}  ", said + (f"  {note}" if note else ""))


def change_lines(changed: Changes) -> list[str]:
    """What changed of what is expected, a sentence for each environment and check."""
    return [
        *(f"{name} is to be checked against {books}" for name, books in _runbooks_of(changed.added)),
        *(f"{name} is no longer to be checked against {books}" for name, books in _runbooks_of(changed.retired)),
        *(f"{name} is a new check" for name in changed.added_checks),
        *(f"{name} is no longer expected" for name in changed.retired_checks),
        *(f"{name} is defined otherwise than before" for name in changed.redefined_checks),
    ]


def _runbooks_of(pairs: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """Each environment with all of its runbooks, as words."""
    books: dict[str, list[str]] = defaultdict(list)
    for name, book in pairs:
        books[name].append(book)
    return [(name, ", ".join(of)) for name, of in books.items()]

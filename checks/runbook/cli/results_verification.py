"""Verify a results store, and bring one into another."""

import msgspec

from runbook.evidence.chain import line_with
from runbook.evidence.import_runs import ImportedRuns, import_runs
from runbook.evidence.lines import ResultLine
from runbook.evidence.store import Store, StoredFile
from runbook.evidence.store_layout import fault_of
from runbook.judge.summary import counted
from runbook.model.exit_code import ExitCode
from runbook.safety.sanitize import sanitize
from runbook.terminal.status import Status

_REPORT_EVERY = 20  # files
_FEW = 3  # things of a store that holds no run: more tell no more


def verify_store(store: Store, receipt: str = "") -> int:
    """Print what is wrong with which file and line of a store, and give the exit code.

    Args:
        store: all of it is read.
        receipt: the chain value of a result; a line of the store must carry it.
    """
    status = Status()
    files = records = wrong = 0
    place = ""
    for found in store.read(lambda *_: True):
        files += 1
        records += found.content.count(b"\n")
        if files % _REPORT_EVERY == 0:
            status.show(f"{counted(files, 'file')}, {counted(records, 'record')}")
        if line := _wrong(found):
            status.clear()
            wrong += 1
            print(line)
        elif receipt and (number := line_with(found.content, receipt)):
            place = f"line {number} of {found.path}: {_told(found.content.splitlines()[number - 1])}"
    status.clear()
    if not files:
        print(f"{store.name} holds no results")
        return ExitCode.NOTHING
    verdict = f"{wrong} not as they were written" if wrong else "all as they were written"
    print(f"{store.name}: {counted(files, 'file')}, {counted(records, 'record')}, {verdict}")
    if receipt:
        print(f"receipt {receipt}: {place or 'no line that is as it was written has it'}")
    return ExitCode.FAILED if wrong or (receipt and not place) else 0


def _told(line: bytes) -> str:
    """What a line of a result says, shortly."""
    try:
        result = msgspec.json.decode(line, type=ResultLine)
    except msgspec.DecodeError:
        return "no result"
    outcome = f"{result.outcome.value}{', waived' if result.waived else ''}"
    return sanitize(f"{result.check} of {result.subject}: {outcome}")


def bring(source: Store, target: Store) -> int:
    """Bring what is whole in one store into another, print what came of it, and give the exit code."""
    status = Status()

    def progress(landed: ImportedRuns) -> None:
        if len(landed.written) % _REPORT_EVERY == 0:
            status.show(f"{len(landed.written)} written, {landed.present} there already, {len(landed.left)} left out")

    try:
        landed = import_runs(source, target, progress)
    finally:
        status.clear()
    foreign = not (landed.written or landed.present) and len(landed.left) > _FEW
    for name, why in landed.left[: _FEW if foreign else None]:
        print(f"left out: {name}: {why}")
    if foreign:
        print(f"… {len(landed.left) - _FEW} more; nothing in {source.name} is a run that is whole: are results there?")
    if not (landed.written or landed.present or landed.left):
        print(f"{source.name} holds no results")
        return ExitCode.NOTHING
    print(
        f"{len(landed.written)} brought into {target.name}, {landed.present} were there already, "
        f"{len(landed.left)} left out"
    )
    return ExitCode.FAILED if landed.left else 0


def _wrong(found: StoredFile) -> str:
    """File, line and what is wrong with it, or ""."""
    if found.trouble:
        return f"{found.path}: {found.trouble}"
    fault = fault_of(found.path, found.content)
    if fault is None:
        return ""
    return f"{found.path}:{fault.line}: {fault.what}" if fault.line else f"{found.path}: {fault.what}"

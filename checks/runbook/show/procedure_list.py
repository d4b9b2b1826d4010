"""List procedures of runbooks, and walks on record."""

from collections.abc import Sequence
from pathlib import Path

from runbook.changes.wording import apart
from runbook.judge.summary import counted
from runbook.model import moment
from runbook.model.block import Procedure
from runbook.model.exit_code import ExitCode
from runbook.procedure.walk import stages
from runbook.procedure.walk_file import kept, walks_home
from runbook.procedure.walk_record import Ended, Overruled, Record, Skipped
from runbook.procedure.walk_status import standing
from runbook.run.sources.runbooks import read_all
from runbook.safety.sanitize import sanitize
from runbook.show.pasted_commands import word_for
from runbook.show.walk_page import where
from runbook.terminal.columns import beside


def list_procedures(runbooks: Sequence[str]) -> int:
    """Print every procedure with how it would be walked, and give the exit code."""
    printed = False
    for book in read_all(runbooks):
        procedures = book.procedures()
        if not procedures:
            continue
        if printed:
            print()
        print(beside("", f"{book.name} {book.front.version}  {book.front.title}"))
        for procedure in procedures:
            front = f"  {word_for(book)}#{procedure.id:{_width(procedures)}}  "
            print(beside(front, f"{procedure.title} ({_size(procedure)})"))
        printed = True
    if not printed:
        print("no procedures there")
    return 0 if printed else ExitCode.NOTHING


def _width(procedures: Sequence[Procedure]) -> int:
    return max(len(procedure.id) for procedure in procedures)


def _size(procedure: Procedure) -> str:
    gates = sum(stage.is_gate for stage in stages(procedure))
    return f"{counted(len(procedure.steps), 'step')}, {counted(gates, 'gate')}"


def list_walks(record: Path | None) -> int:
    """Print the walks of a folder, the newest first, and give the exit code."""
    folder = record or walks_home()
    found = list(kept(folder))
    for path, walk in found:
        begun = walk.begun
        print(
            beside(
                f"{begun.walk}  ",
                f"{_standing(walk):10}  {begun.procedure}  {where(begun)}  by {begun.by}, {_took(walk)}",
            )
        )
        if walk.fault is not None:
            print(sanitize(f"  {path} is not as it was written: {walk.fault}"))
    if not found:
        print(sanitize(f"no walks in {folder}"))
    return 0 if found else ExitCode.NOTHING


def _took(record: Record) -> str:
    """From its beginning to what was last added to its record; where it has not ended, when that was."""
    began, last = moment.read(record.begun.at), moment.read(record.entries[-1].at)
    took = f"in {apart(round((last - began).total_seconds()))}"
    return took if isinstance(record.entries[-1], Ended) else f"last at {last:%Y-%m-%d %H:%M} UTC"


def _standing(record: Record) -> str:
    """How a walk stands, and what was gone over on it."""
    gates = sum(isinstance(entry, Overruled) for entry in record.entries)
    steps = sum(isinstance(entry, Skipped) for entry in record.entries)
    over = [f"{counted(gates, 'gate')} overruled"] if gates else []
    over += [f"{counted(steps, 'step')} skipped"] if steps else []
    return ", ".join([standing(record), *over])

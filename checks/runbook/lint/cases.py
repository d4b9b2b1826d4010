"""Mistakes in the cases of checks, and checks that no case proves able to fail."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from runbook.judge.compiled import Compiled
from runbook.model.block import Check
from runbook.model.errors import Invalid, Place, Problem, did_you_mean
from runbook.parse.runbook import Placed, Runbook
from runbook.run.case import cases_of_check, read_cases
from runbook.run.trying import cases_of, shown_path


def cases_lacking(book: Runbook, compiled: Sequence[Compiled], unread: Sequence[str]) -> Iterator[Problem]:
    """Yield what is wrong with the cases of a runbook, some of whose checks could not be read or compiled.

    Built-in runbooks come without their cases in a wheel; there is nothing to say of them there.
    """
    folder = _folder(book)
    if book.origin == "built-in" and not folder.parent.is_dir():
        return
    ready = {one.check.id: one for one in compiled}
    for placed in book.checks():
        if isinstance(placed.block, Check) and not placed.document.is_lost(("id",)):
            yield from _of_check(book, placed, placed.block, ready.get(placed.block.id))
    ids = [*(placed.block.id for placed in book.checks()), *unread]
    for file in sorted(folder.glob("*.yaml")):
        if file.stem not in ids:
            remedy = did_you_mean(file.stem, ids)
            yield Problem(Place(shown_path(file)), f'{book.name} has no check "{file.stem}"', remedy)


def _folder(book: Runbook) -> Path:
    return Path(book.path).resolve().parents[1] / "tests" / "cases" / book.name


def _of_check(book: Runbook, placed: Placed, check: Check, ready: Compiled | None) -> Iterator[Problem]:
    file = cases_of_check(book, placed, check)
    here = placed.document.place(("id",))
    if not file.exists() and file.parent != _folder(book):
        return  # of a built-in runbook that is extended, in a wheel
    if not file.exists():
        remedy = f"write {shown_path(file)} with a case of expect: fail and one of expect: pass"
        yield Problem(here, f"nothing proves that {placed.name} can fail: it has no cases", remedy)
        return
    problems: list[Problem] = []
    try:
        cases, _ = read_cases(file, shown_path(file), problems)
    except Invalid as invalid:
        yield from invalid.problems
        return
    yield from cases_of(book, ready, file)[1] if ready else problems
    if not problems and not any(case.expect == "fail" for case in cases.cases):
        message = f"nothing proves that {placed.name} can fail: no case has expect: fail"
        yield Problem(Place(shown_path(file)), message, "add one in which the condition is broken")

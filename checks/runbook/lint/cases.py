"""Mistakes in the cases of checks and causes, and those of which no case proves what they can come out as."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from runbook.judge.cause import CompiledCause
from runbook.judge.compiled import Compiled
from runbook.model.block import Cause, Check
from runbook.model.errors import FilePosition, Invalid, Problem, did_you_mean
from runbook.parse.runbook import LocatedBlock, Runbook
from runbook.run.judgement.case import cases_of_block, read_cases
from runbook.run.judgement.case_runner import cases_of
from runbook.run.sources.runbooks import shown_path

_PROVED = {Check: ("fail",), Cause: ("holds", "does_not_hold", "unknown")}
"""Kind of block → what some case of it must expect."""
_VERBS = {"fail": "fail", "holds": "hold", "does_not_hold": "not hold", "unknown": "be unknown"}
_COUNTER = {"fail": "pass", "holds": "does_not_hold"}
_REMEDIES = {
    "fail": "add one in which the condition is broken",
    "holds": "add one in which it is the cause",
    "does_not_hold": "add one in which something else is wrong, or nothing",
    "unknown": "add one in which a fact has a gap",
}


def cases_lacking(
    book: Runbook, compiled: Sequence[Compiled | CompiledCause], unread: Sequence[str]
) -> Iterator[Problem]:
    """Yield what is wrong with the cases of a runbook, some of whose blocks could not be read or compiled.

    Built-in runbooks come without their cases in a wheel; there is nothing to say of them there.
    """
    folder = _folder(book)
    if book.origin == "built-in" and not folder.parent.is_dir():
        return
    if book.own and book.name != book.front.extends:
        return  # they stand under the name that the file should have
    ready = {cause.placed.block.id: cause for cause in compiled}
    proved = [placed for placed in book.placed() if isinstance(placed.block, Check | Cause)]
    for placed in proved:
        if not placed.document.is_lost(("id",)):
            yield from _of_block(book, placed, ready.get(placed.block.id))
    named = [placed.block.id for placed in proved if not placed.document.is_lost(("id",))]
    if len(named) < len(proved):
        return  # whose cases the other files are nobody knows before each block has its id
    ids = [*named, *unread, *(old for placed in proved for old in placed.block.was if book.origin == "file")]
    for file in sorted(folder.glob("*.y*ml")):
        if file.suffix != ".yaml":
            yield Problem(FilePosition(shown_path(file)), "not read: names of cases end with .yaml", "rename it")
        elif file.stem not in ids:
            remedy = did_you_mean(file.stem, ids, f"runbook list {book.path}") if ids else "name it as its block's id"
            yield Problem(FilePosition(shown_path(file)), f'{book.name} has no check or cause "{file.stem}"', remedy)


def cases_of_no_runbook(books: Iterable[Runbook]) -> Iterator[Problem]:
    """Yield a problem for each folder of cases, beside those of users' runbooks, that is named as no runbook is."""
    own = [book for book in books if book.origin != "built-in"]
    extended = {book.front.extends for book in own}  # the file may have another name, which is told
    for cases, runbooks in {_folder(book).parent: Path(book.path).resolve().parent for book in own}.items():
        names = sorted({file.stem for file in runbooks.glob("*.md")} | extended - {""})
        for folder in sorted(cases.iterdir()) if cases.is_dir() else ():
            if folder.name not in names and any(folder.glob("*.y*ml")):
                message = f'no runbook "{folder.name}" in {shown_path(runbooks)}, whose cases these would be'
                yield Problem(FilePosition(shown_path(folder)), message, did_you_mean(folder.name, names))


def _folder(book: Runbook) -> Path:
    return Path(book.path).resolve().parents[1] / "tests" / "cases" / book.name


def _of_block(book: Runbook, placed: LocatedBlock, ready: Compiled | CompiledCause | None) -> Iterator[Problem]:
    block = placed.block
    assert isinstance(block, Check | Cause)
    file = cases_of_block(book, placed, block)
    here = placed.document.place(("id",))
    if not file.exists() and file.parent != _folder(book):
        return  # of a built-in runbook that is extended, in a wheel
    proved = _PROVED[type(block)]
    if not file.exists():
        expected = " and one of ".join(f"expect: {word}" for word in dict.fromkeys((*proved, _COUNTER[proved[0]])))
        remedy = f"write {shown_path(file)} with a case of {expected}"
        yield Problem(here, f"nothing proves that {placed.name} can {_VERBS[proved[0]]}: it has no cases", remedy)
        return
    problems: list[Problem] = []
    tried, mistakes = cases_of(book, ready, file) if ready else ([], problems)
    found = {case.expect for case in tried}
    if mistakes or not ready:  # what was tried is not all that stands there
        try:
            cases, _ = read_cases(file, shown_path(file), problems)
        except Invalid as invalid:
            yield from invalid.problems
            return
        yield from mistakes
        found = {case.expect for case in cases.cases}
    for word in proved if not problems else ():
        if word not in found:
            message = f"nothing proves that {placed.name} can {_VERBS[word]}: no case has expect: {word}"
            yield Problem(FilePosition(shown_path(file)), message, _REMEDIES[word])

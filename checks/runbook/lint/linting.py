"""Everything that can be said against runbooks without asking a cluster, all of it at once."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from runbook.lint.cases import cases_lacking, cases_of_no_runbook
from runbook.lint.causes import mistaken_causes
from runbook.lint.checks import unnamed_gates, unprovable_drills, unread_parameters, unreasoned_severities
from runbook.lint.code import unloadable_code, unread_runbooks
from runbook.lint.commands import unrunnable_commands
from runbook.lint.fences import unmarked_fences, unmarked_ids
from runbook.lint.links import dead_links
from runbook.lint.mentions import lost_mentions
from runbook.lint.neighbours import neighbour_of, read_beside
from runbook.lint.old_names import mistaken_old_names
from runbook.lint.versions import front_matter_mistakes, unversioned_changes
from runbook.lint.words import unknown_words
from runbook.model.block import Cause, Check, Diagnostic, Effect, GateCheck, GateEntry, Procedure
from runbook.model.errors import Invalid, Problem, did_you_mean
from runbook.parse.runbook import LenientRunbook, LocatedBlock, Runbook
from runbook.parse.yaml_document import Path as Field
from runbook.plugins.catalog import add_user_checks
from runbook.run.sources.built_in import builtin_names
from runbook.run.sources.compiled_causes import compile_causes
from runbook.run.sources.compiled_runbooks import compile_checks
from runbook.run.sources.runbooks import every_name, survey


class Counted(Struct, frozen=True):
    """How much was looked at."""

    runbooks: int
    checks: int


def lint_all(words: Sequence[str], user_checks: Iterable[Path], since: str) -> tuple[list[Problem], Counted]:
    """Find what is wrong with runbooks: form, names, types, references, cases, versions.

    Args:
        words: files or names of built-in runbooks; all built-in ones if empty.
        user_checks: folders with users' own probes and views.
        since: the tag or commit with which versions are compared; the last tag if empty.

    Returns:
        Every problem, runbook by runbook in the order of the file, and how much was looked at.

    Raises:
        UsageError: a runbook or folder can't be found, or there is no such tag.
    """
    for folder in user_checks:
        add_user_checks(folder)
    named = list(dict.fromkeys(words or every_name()))
    books: list[LenientRunbook] = []
    problems: list[Problem] = []
    for word in named:
        try:
            books.append(survey(word))
        except Invalid as invalid:
            problems += invalid.problems
    references = References(books)
    for book in books:
        problems += _of_runbook(book, references, since)
    problems += unloadable_code()
    problems += unread_runbooks()
    problems += cases_of_no_runbook(book.runbook for book in books)
    checks = sum(len(book.runbook.checks()) for book in books)
    return list(dict.fromkeys(problems)), Counted(len(named), checks)


def _of_runbook(surveyed: LenientRunbook, references: "References", since: str) -> list[Problem]:
    book = surveyed.runbook
    compiled, found = compile_checks(book)
    neighbour = neighbour_of(book)
    unread = [*surveyed.unread, *unmarked_ids(book)]
    found += [
        *surveyed.problems,
        *references.broken_in(book),
        *cases_lacking(book, [*compiled, *compile_causes(book)[0]], unread),
        *unprovable_drills(book),
        *unreasoned_severities(book),
        *unnamed_gates(book),
        *unread_parameters(compiled),
        *mistaken_causes(book, neighbour),
        *mistaken_old_names(book, neighbour),
        *unrunnable_commands(book),
        *unknown_words(book),
        *unmarked_fences(book),
        *dead_links(book, unread, neighbour),
        *lost_mentions(book, unread, neighbour),
    ]
    if surveyed.head:
        found += [*front_matter_mistakes(book), *unversioned_changes(book, since)]
    return sorted(found, key=lambda one: (one.place.file != book.path, *one.place))


class References:
    """The checks that diagnostics and procedures may name: of their own runbook, its neighbours, and built-in ones."""

    def __init__(self, books: Iterable[LenientRunbook]) -> None:
        """Know these runbooks already; of blocks that can't be read, only that they are there."""
        self._known = {
            book.runbook.name: _ids(book.runbook) | dict.fromkeys(book.unread, "environment") for book in books
        }

    def broken_in(self, book: Runbook) -> Iterator[Problem]:
        """Yield a problem for each name of a check that there is not."""
        for placed in book.placed():
            yield from _switches(placed)
            for field, entry in _named_checks(placed):
                word = entry.check if isinstance(entry, GateCheck) else entry
                runbook, _, identifier = word.rpartition("/")
                known = self._ids_of(runbook or book.name, Path(book.path).parent)
                if known is None:
                    remedy = "write a check of this runbook by its id, of another one as RUNBOOK/ID"
                    yield Problem(placed.document.place(field), f'no runbook "{runbook}" in {placed.name}', remedy)
                elif identifier not in known:
                    remedy = did_you_mean(identifier, [*known], f"runbook list {runbook or book.path}")
                    yield Problem(placed.document.place(field), f'no check "{word}" in {placed.name}', remedy)
                elif isinstance(entry, GateCheck) and known[identifier] != "environment":
                    message = f'"{word}" is over: {known[identifier]}, so it has no at: in {placed.name}'
                    remedy = f"write its name alone: {word}"
                    yield Problem(placed.document.place((*field, "at")), message, remedy)

    def _ids_of(self, name: str, folder: Path) -> dict[str, str] | None:
        """The checks of a runbook and what they are about; None if there is none of that name.

        One that can't be read has no checks.
        """
        if name not in self._known:
            if not (folder / f"{name}.md").exists() and name not in {*every_name(), *builtin_names()}:
                return None
            book = read_beside(name, folder)
            if book is None:
                return {}
            self._known[name] = _ids(book)
        return self._known[name]


def _ids(book: Runbook) -> dict[str, str]:
    return {placed.block.id: placed.block.over for placed in book.checks() if isinstance(placed.block, Check)}


def _switches(placed: LocatedBlock) -> Iterator[Problem]:
    """Yield a problem for each step with which producers would move a second time."""
    steps = placed.block.steps if isinstance(placed.block, Procedure) else []
    for i in [i for i, step in enumerate(steps) if step.switch][1:]:
        place = placed.document.key(("steps", i, "switch"))
        yield Problem(place, f"producers move twice in {placed.name}", "say switch: in one step only")


def _named_checks(placed: LocatedBlock) -> Iterator[tuple[Field, GateEntry]]:
    """Every check that a block names, with the field in which it does."""
    block = placed.block
    lists: list[tuple[Field, Sequence[GateEntry]]] = []
    match block:
        case Cause():
            lists = [(("verify",), block.verify)]
        case Diagnostic():
            lists = [(("causes", i, "checks"), cause.checks) for i, cause in enumerate(block.causes)]
        case Procedure():
            lists = [(("before",), block.before), (("after",), block.after)]
            lists += [(("steps", i, "verify"), step.verify) for i, step in enumerate(block.steps)]
        case Check() | Effect():
            pass
    for field, words in lists:
        yield from (((*field, i), word) for i, word in enumerate(words))

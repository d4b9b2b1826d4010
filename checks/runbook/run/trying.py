"""Judge the stored cases of many checks and causes, and keep what is wrong with any of them."""

from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct, field

from runbook.judge.cause import CompiledCause
from runbook.judge.compiled import Compiled
from runbook.model.errors import Invalid, Problem, UsageError, did_you_mean
from runbook.parse.runbook import Runbook
from runbook.run.case import Tried, case_file, cases_of_block, try_cases
from runbook.run.causes import compile_causes
from runbook.run.sources import compile_all, read_all


class CaseTrial(Struct):
    """What came of all cases, of which checks and causes there are none, and what is wrong with case files."""

    tried: list[Tried] = field(default_factory=list)
    without: list[str] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)


def try_all(words: Sequence[str], only: Sequence[str]) -> CaseTrial:
    """Judge the cases of the named runbooks' checks and causes; of some of them only, where those are named.

    Raises:
        UsageError: a runbook, or a check or cause of that name, is not there.
        Invalid: runbooks have mistakes.
    """
    ready = _ready(read_all(words))
    known = [one.placed.name for _, one in ready]
    for word in only:
        if not any(_means(word, name) for name in known):
            raise UsageError(f"--only {word}: no such check or cause; {did_you_mean(word, known)}")
    trial = CaseTrial()
    for book, one in ready:
        if not only or any(_means(word, one.placed.name) for word in only):
            _try(book, one, trial)
    return trial


def _ready(books: Sequence[Runbook]) -> list[tuple[Runbook, Compiled | CompiledCause]]:
    """What has cases, in the order of the runbooks."""
    ready: list[tuple[Runbook, Compiled | CompiledCause]] = []
    problems: list[Problem] = []
    for book, checks in compile_all(books):
        causes, mistakes = compile_causes(book)
        ready += [(book, check) for check in checks]
        ready += [(book, cause) for cause in causes]
        problems += mistakes
    if problems:
        raise Invalid(problems)
    return ready


def _means(word: str, name: str) -> bool:
    return name == word or name.endswith(f"/{word}")


def _try(book: Runbook, one: Compiled | CompiledCause, trial: CaseTrial) -> None:
    block = one.check if isinstance(one, Compiled) else one.cause
    file = cases_of_block(book, one.placed, block)
    if not file.exists():
        if file == case_file(Path(book.path), block):  # else of a built-in block that is not amended, in a wheel
            trial.without.append(one.placed.name)
        return
    tried, problems = cases_of(book, one, file)
    trial.tried += tried
    trial.problems += problems


def cases_of(book: Runbook, one: Compiled | CompiledCause, file: Path) -> tuple[list[Tried], list[Problem]]:
    """Judge the cases in one file; its mistakes instead, if it has any."""
    shown = shown_path(file)
    try:
        return try_cases(book, one, file, shown), []
    except Invalid as invalid:
        return [], list(invalid.problems)


def shown_path(file: Path) -> str:
    """How messages name a file: from here where that is shorter."""
    here = Path.cwd()
    return str(file.relative_to(here)) if file.is_relative_to(here) else str(file)

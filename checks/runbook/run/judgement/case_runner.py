"""Judge the stored cases of many checks and causes, and keep what is wrong with any of them."""

from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct, field

from runbook.judge.cause import CompiledCause
from runbook.judge.compiled import Compiled
from runbook.model.block import Cause, Check
from runbook.model.errors import Invalid, Problem, UsageError, did_you_mean
from runbook.parse.runbook import Runbook
from runbook.run.judgement.case import Tried, case_file, cases_of_block, try_cases
from runbook.run.sources.compiled_causes import compile_causes
from runbook.run.sources.compiled_runbooks import compile_checks
from runbook.run.sources.name_patterns import means, one_by_one, unmeant, words_of_today
from runbook.run.sources.runbooks import find_block, meant_by, read_each, read_sound, shown_path


class CaseTrial(Struct):
    """What came of all cases, of which checks and causes there are none, and what is wrong with case files.

    `paths` are the files to write for those that have none, `blocks` how many checks and causes were looked at.
    """

    tried: list[Tried] = field(default_factory=list)
    without: list[str] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    blocks: int = 0
    problems: list[Problem] = field(default_factory=list)


def try_all(words: Sequence[str], only: Sequence[str]) -> CaseTrial:
    """Judge the cases of the named runbooks' checks and causes; of some of them only, where those are named.

    Args:
        words: runbooks, or blocks of them such as ha#brokers-agree; all built-in runbooks and the project's if empty.
        only: checks and causes by name; all that `words` mean if empty.

    Raises:
        UsageError: a runbook, or a check or cause of that name, is not there.
    """
    named = [meant_by(word) for word in words]
    books = list(dict.fromkeys(name for name, _ in named))
    found, problems = read_each(books) if books else read_sound([])
    ready, mistakes = _ready(found)
    wanted = _wanted(
        words_of_today(one_by_one(only), found),
        [cause.placed.name for _, cause in ready],
        books,
        [*problems, *mistakes],
    )
    if blocks := {_block(f"{name}#{identifier}") for name, identifier in named if identifier}:
        whole = {book.name for name, identifier in named if not identifier for book in read_each([name])[0]}
        wanted = blocks | (wanted if only else set())
        wanted |= {cause.placed.name for book, cause in ready if book.name in whole}
    trial = CaseTrial(problems=[*problems, *mistakes])
    for book, cause in ready:
        if cause.placed.name in wanted:
            trial.blocks += 1
            _try(book, cause, trial)
    return trial


def _wanted(only: Sequence[str], known: Sequence[str], books: Sequence[str], mistakes: Sequence[Problem]) -> set[str]:
    """The checks and causes that --only names; all without. One that is not known may be what has the mistakes."""
    word = unmeant(only, known)
    if word is not None:
        if mistakes:
            raise Invalid(mistakes)
        listed = " ".join(["runbook list", *books])
        raise UsageError(f"--only {word}: no such check or cause; {did_you_mean(word, known, listed)}")
    return {name for name in known if not only or any(means(word, name) for word in only)}


def _block(word: str) -> str:
    """The check or cause that a word means, by its name."""
    placed = find_block(word).placed
    if placed is None or not isinstance(placed.block, Check | Cause):
        raise UsageError(f"{word} is no check and no cause, and only those have cases")
    return placed.name


def _ready(books: Sequence[Runbook]) -> tuple[list[tuple[Runbook, Compiled | CompiledCause]], list[Problem]]:
    """What has cases, in the order of the runbooks, and the mistakes of what can't be compiled."""
    ready: list[tuple[Runbook, Compiled | CompiledCause]] = []
    problems: list[Problem] = []
    for book in books:
        checks, wrong = compile_checks(book)
        causes, mistakes = compile_causes(book)
        ready += [(book, check) for check in checks]
        ready += [(book, cause) for cause in causes]
        problems += [*wrong, *mistakes]
    return ready, problems


def _try(book: Runbook, one: Compiled | CompiledCause, trial: CaseTrial) -> None:
    block = one.check if isinstance(one, Compiled) else one.cause
    file = cases_of_block(book, one.placed, block)
    there = file.exists()
    tried, problems = cases_of(book, one, file) if there else ([], [])
    trial.tried += tried
    trial.problems += problems
    if not tried and not problems and (there or file == case_file(Path(book.path), block)):
        trial.without.append(one.placed.name)  # else it is of a built-in block that is not amended, in a wheel
        trial.paths.append(shown_path(file))


def cases_of(book: Runbook, one: Compiled | CompiledCause, file: Path) -> tuple[list[Tried], list[Problem]]:
    """Judge the cases in one file; its mistakes instead, if it has any."""
    shown = shown_path(file)
    try:
        return try_cases(book, one, file, shown), []
    except Invalid as invalid:
        return [], list(invalid.problems)

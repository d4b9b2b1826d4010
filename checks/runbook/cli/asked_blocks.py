"""What is to be checked, where words name blocks, alerts or errors: runbooks and checks of them."""

import sys
from collections.abc import Collection

from msgspec import structs

from runbook.model.block import Cause, Diagnostic, Effect, Procedure, whole_name
from runbook.model.errors import Invalid, UsageError
from runbook.run.check_run import Options
from runbook.run.sources.inventories import load_inventory
from runbook.run.sources.runbooks import find_block, meant_by, read_all, read_or_built_in


def narrowed(options: Options) -> Options:
    """The run of whole runbooks that is meant where words name blocks of them, such as ha#brokers-agree.

    A diagnostic means the checks that tell its causes apart; a cause or an effect its whole runbook, whose checks it
    is told beside.

    Raises:
        UsageError: there is no such block, or it is a procedure, or a diagnostic without checks.
    """
    meant = list(dict.fromkeys(place for word in options.runbooks for place in _meant_by(word, options)))
    if not any(identifier for _, identifier in meant):
        return options
    runbooks: list[str] = []
    only: list[str] = [*options.only]
    for name, identifier in meant:
        runbooks.append(name)
        if not identifier:
            only += _all_of(name)
            continue
        word = f"{name}#{identifier}"
        placed = find_block(word).placed
        match placed.block if placed else None:
            case Procedure():
                raise UsageError(f"{word} is a procedure: runbook procedure walk {word}")
            case Diagnostic() as symptom:
                book_name = placed.name.partition("/")[0] if placed else name
                named = [whole_name(check, book_name) for check in symptom.checks]
                if not named:
                    raise UsageError(f"no check can tell the causes of {word} apart: runbook show {word}")
                only += named
                runbooks += [name.partition("/")[0] for name in named if not name.startswith(f"{book_name}/")]
            case Cause() | Effect():
                only += _all_of(name)
            case _:
                only.append(placed.name if placed else name)
    return structs.replace(options, runbooks=list(dict.fromkeys(runbooks)), only=list(dict.fromkeys(only)))


def left_to_a_person(words: Collection[str]) -> list[str]:
    """Of each symptom that is named, one line with the possible causes that no fact decides; none of other words."""
    told = []
    for word in words:
        placed = find_block(word).placed if "#" in word else None
        if placed is not None and isinstance(placed.block, Diagnostic):
            causes = [cause.cause for cause in placed.block.causes if not cause.holds and not cause.checks]
            if causes:
                told.append(f"no check can tell: {'; '.join(causes)}: runbook show {word}")
    return told


def _meant_by(word: str, options: Options) -> list[tuple[str, str]]:
    """The runbooks and blocks that a word means; those that list it, where it is the name of an alert or error."""
    try:
        return [meant_by(word)]
    except UsageError as error:
        if isinstance(error, Invalid):
            raise
        if word in _environments(options):
            raise UsageError(f"{word} is an environment: --env {word}") from error
        if not (listing := _listing(word)):
            raise
    said = ", ".join("#".join(place) for place in listing)
    print(f"{word} is listed by {said}", file=sys.stderr)
    return listing


def _listing(name: str) -> list[tuple[str, str]]:
    """The symptoms that list an alert or error, else the checks that do."""
    from runbook.search.index import Index
    from runbook.search.kept_entries import kept_entries

    books, _ = read_or_built_in()
    listing = Index(books, kept_entries).listing(name)
    best = [entry for entry in listing if entry.kind == "diagnostic"] or [
        entry for entry in listing if entry.kind == "check"
    ]
    return [(book, block) for book, _, block in (entry.name.partition("/") for entry in best)]


def _environments(options: Options) -> Collection[str]:
    """The names of the environments that could be meant; none where they can't be read."""
    try:
        return load_inventory(options.inventory).targets if options.bundle is None else ()
    except UsageError:
        return ()


def _all_of(name: str) -> list[str]:
    """The checks of a runbook, but for those that hold only in the midst of a procedure."""
    (book,) = read_all([name])
    return [placed.name for placed in book.checks() if not getattr(placed.block, "gate", False)]

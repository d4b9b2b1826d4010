"""What is to be checked, where words name blocks, alerts or errors: runbooks and checks of them."""

import shlex
from collections.abc import Collection

from msgspec import structs

from runbook.cli.asked_text import is_text, listing, meant_by_text, named_in, said_by, said_to_list
from runbook.model.block import Cause, Diagnostic, Effect, Procedure, whole_name
from runbook.model.errors import Invalid, UsageError
from runbook.run.check_run import Options
from runbook.run.sources.inventories import load_inventory
from runbook.run.sources.runbooks import find_block, meant_by, read_all


def narrowed(options: Options) -> Options:
    """The run of whole runbooks that is meant where words name blocks of them, such as ha#brokers-agree.

    A diagnostic means the checks that tell its causes apart; a cause or an effect its whole runbook, whose checks it
    is told beside. Topics that an error text names are handed to the checks that look for them.

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
                    said = said_by(options.runbooks, symptom) or "no check can tell its causes apart"
                    raise UsageError(f"{word}: {said}: runbook show {word}")
                only += named
                runbooks += [name.partition("/")[0] for name in named if not name.startswith(f"{book_name}/")]
            case Cause() | Effect():
                only += _all_of(name)
            case _:
                only.append(placed.name if placed else name)
    return structs.replace(
        options,
        runbooks=list(dict.fromkeys(runbooks)),
        only=list(dict.fromkeys(only)),
        words={**options.words, **named_in(options.runbooks)},
    )


def left_to_a_person(words: Collection[str]) -> list[str]:
    """Of each symptom that is named, one line with what the error text says of its cause, or with what no fact decides.

    Of a text that nothing lists, that what was checked only shares its words; none of other words.
    """
    symptoms = [(given, _symptoms(given)) for given in words]
    told = [
        f"what was checked shares words with what was asked, and need not be about it: runbook find {shlex.quote(word)}"
        for word, found in symptoms
        if is_text(word) and not found
    ]
    for word in (named for _, found in symptoms for named in found):
        placed = find_block(word).placed
        if placed is not None and isinstance(placed.block, Diagnostic):
            causes = [cause.cause for cause in placed.block.causes if not cause.holds and not cause.checks]
            left = f"no check can tell: {'; '.join(causes)}" if causes else ""
            if said := said_by(words, placed.block) or left:
                told.append(f"{said}: runbook show {word}")
    return told


def _symptoms(word: str) -> list[str]:
    """The blocks that a word means, as ha#brokers-agree; none where it means whole runbooks."""
    if is_text(word):
        return ["#".join(place) for place in listing(word)]
    try:
        place = meant_by(word)
        return ["#".join(place)] if place[1] else []
    except UsageError:
        return ["#".join(place) for place in listing(word)]


def _meant_by(word: str, options: Options) -> list[tuple[str, str]]:
    """The runbooks and blocks that a word means; those that list it, where it is the name of an alert or error."""
    if is_text(word):
        return meant_by_text(word)
    try:
        return [meant_by(word)]
    except UsageError as error:
        if isinstance(error, Invalid):
            raise
        if word in _environments(options):
            raise UsageError(f"{word} is an environment: --env {word}") from error
        if not (found := listing(word)):
            raise
    return said_to_list(word, found)


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

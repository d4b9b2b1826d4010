"""What is to be checked, where words name blocks, alerts or errors: runbooks and checks of them."""

import shlex
from collections.abc import Collection, Mapping, Sequence

from msgspec import Struct, structs

from runbook.cli.asked_text import Place, is_name, is_text, listing, meant_by_text, named_in, said_to_list
from runbook.cli.error_says import error_says, named_causes, symptoms_of
from runbook.model.block import Cause, Diagnostic, Effect, Procedure, whole_name
from runbook.model.errors import Invalid, UsageError
from runbook.run.check_run import Options
from runbook.run.sources.inventories import load_inventory
from runbook.run.sources.runbooks import find_block, meant_by, read_all


class Asked(Struct, frozen=True):
    """What the words in place of runbooks mean.

    Attributes:
        options: the run that they ask for.
        words: as they were given.
        listed: word -> the blocks, as ha#brokers-agree, that it names or that list it; none of a text that nothing
            lists, and of a whole runbook.
        unchecked: whether there is nothing to check: the error names its cause, and no check can tell it.
    """

    options: Options
    words: Sequence[str]
    listed: Mapping[str, list[str]]
    unchecked: bool = False

    def names(self) -> list[str]:
        """All blocks that a word names, or that list it."""
        return [name for found in self.listed.values() for name in found]


def read_words(options: Options) -> Asked:
    """The run of whole runbooks that is meant where words name blocks of them, such as ha#brokers-agree.

    A diagnostic means the checks that tell its causes apart; a cause or an effect its whole runbook, whose checks it
    is told beside. Topics that an error text names are handed to the checks that look for them.

    Raises:
        UsageError: there is no such block, or it is a procedure, or only diagnostics without checks are meant, of
            which the error names no cause.
    """
    found = {word: _meant_by(word, options) for word in options.runbooks}
    meant = list(dict.fromkeys(place for places, _ in found.values() for place in places))
    listed = {
        word: [f"{name}#{identifier}" for name, identifier in places if identifier] if lists else []
        for word, (places, lists) in found.items()
    }
    asked = Asked(options, options.runbooks, listed)
    if not any(identifier for _, identifier in meant):
        return asked
    runbooks: list[str] = []
    only: list[str] = []
    untold: list[str] = []
    for name, identifier in meant:
        if not identifier:
            runbooks.append(name)
            only += _all_of(name)
            continue
        word = f"{name}#{identifier}"
        placed = find_block(word).placed
        match placed.block if placed else None:
            case Procedure():
                raise UsageError(f"{word} is a procedure: runbook procedure walk {word}")
            case Diagnostic(checks=[]):
                untold.append(word)
                continue
            case Diagnostic() as symptom:
                book_name = placed.name.partition("/")[0] if placed else name
                named = [whole_name(check, book_name) for check in symptom.checks]
                only += named
                runbooks += [name, *(name.partition("/")[0] for name in named if not name.startswith(f"{book_name}/"))]
            case Cause() | Effect():
                runbooks.append(name)
                only += _all_of(name)
            case _:
                runbooks.append(name)
                only.append(placed.name if placed else name)
    if untold and not only:
        if error_says(asked.words, asked.names()) is None:
            raise UsageError(f"{untold[0]}: no check can tell its causes apart: runbook show {untold[0]}")
        return structs.replace(asked, unchecked=True)
    narrowed = structs.replace(
        options,
        runbooks=list(dict.fromkeys(runbooks)),
        only=list(dict.fromkeys([*options.only, *only])),
        words={**options.words, **named_in(options.runbooks)},
    )
    return structs.replace(asked, options=narrowed)


def left_to_a_person(asked: Asked) -> list[str]:
    """Of each symptom that is named, one line with what no fact decides, but for one of which the error says the cause.

    Of a text that nothing lists, that what was checked only shares its words; none of other words.
    """
    told = [
        f"what was checked shares words with what was asked, and need not be about it: runbook find {shlex.quote(word)}"
        for word, found in asked.listed.items()
        if (is_text(word) or is_name(word)) and not found
    ]
    for name, symptom in symptoms_of(asked.names()):
        named = named_causes(asked.words, symptom)
        left = [cause.cause for cause in symptom.causes if not cause.holds and not cause.checks]
        word = "#".join(name.split("/"))
        if len(named) > 1:
            told.append(f"the error leaves: {'; '.join(cause.cause for cause in named)}: runbook show {word}")
        elif left and not named:
            told.append(f"no check can tell: {'; '.join(left)}: runbook show {word}")
    return told


def _meant_by(word: str, options: Options) -> tuple[list[Place], bool]:
    """The runbooks and blocks that a word means, and whether they list it, where it is no name of theirs."""
    if is_text(word):
        return meant_by_text(word)
    try:
        return [meant_by(word)], True
    except UsageError as error:
        if isinstance(error, Invalid):
            raise
        if word in _environments(options):
            raise UsageError(f"{word} is an environment: --env {word}") from error
        if found := listing(word):
            return said_to_list(word, found), True
        if is_name(word):
            return meant_by_text(word)
        raise


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

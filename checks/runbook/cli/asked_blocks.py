"""What is to be checked, where words name blocks, alerts or errors: runbooks and checks of them."""

import shlex
import sys
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Final

from msgspec import structs

from runbook.model.block import Cause, Diagnostic, Effect, Procedure, whole_name
from runbook.model.errors import Invalid, UsageError
from runbook.run.check_run import Options
from runbook.run.sources.inventories import load_inventory
from runbook.run.sources.runbooks import find_block, meant_by, read_all, read_or_built_in

_SHORT: Final = 60  # characters of a text that is said again. Our judgement: it is known again


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
                    said = _said_by(options.runbooks, symptom) or "no check can tell its causes apart"
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
        words={**options.words, **_named(options.runbooks)},
    )


def _named(words: Iterable[str]) -> dict[str, str]:
    """The parameter of gates that error texts give: the topics that they say are unknown."""
    from runbook.search.names_in_text import topics_in

    topics = [topic for word in words if _is_text(word) for topic in topics_in(word)]
    return {"NAMED_TOPICS": ",".join(topics)} if topics else {}


def left_to_a_person(words: Collection[str]) -> list[str]:
    """Of each symptom that is named, one line with what the error text says of its cause, or with what no fact decides.

    None of other words.
    """
    told = []
    for word in (named for given in words for named in _symptoms(given)):
        placed = find_block(word).placed
        if placed is not None and isinstance(placed.block, Diagnostic):
            causes = [cause.cause for cause in placed.block.causes if not cause.holds and not cause.checks]
            left = f"no check can tell: {'; '.join(causes)}" if causes else ""
            if said := _said_by(words, placed.block) or left:
                told.append(f"{said}: runbook show {word}")
    return told


def _said_by(words: Iterable[str], symptom: Diagnostic) -> str:
    """The causes of a symptom that an error text itself names, each with its remedy; empty if it names none."""
    from runbook.search.likely import likely_causes

    likely = [cause for text in words for cause in likely_causes(symptom, text)]
    said = " ".join(f"{cause.cause}. {cause.remedy}" for cause in likely).removesuffix(".")
    return f"the error itself says: {said}" if said else ""


def _symptoms(word: str) -> list[str]:
    """The blocks that a word means, as ha#brokers-agree; none where it means whole runbooks."""
    if _is_text(word):
        return ["#".join(place) for place in _listing(word)]
    try:
        place = meant_by(word)
        return ["#".join(place)] if place[1] else []
    except UsageError:
        return ["#".join(place) for place in _listing(word)]


def _meant_by(word: str, options: Options) -> list[tuple[str, str]]:
    """The runbooks and blocks that a word means; those that list it, where it is the name of an alert or error."""
    if _is_text(word):
        if not (listing := _listing(word)):
            raise UsageError(f"no runbook, alert or error is named in this text: runbook find {shlex.quote(word)}")
        return _told(_short(word), listing)
    try:
        return [meant_by(word)]
    except UsageError as error:
        if isinstance(error, Invalid):
            raise
        if word in _environments(options):
            raise UsageError(f"{word} is an environment: --env {word}") from error
        if not (listing := _listing(word)):
            raise
    return _told(word, listing)


def _is_text(word: str) -> bool:
    """Whether it is a line of a log or a few words, and no file."""
    if " " not in word.strip() or ".md" in word:
        return False
    try:
        return not Path(word).exists()
    except OSError:  # longer than a file's name may be
        return True


def _short(text: str) -> str:
    return text if len(text) <= _SHORT else f"{text[:_SHORT]}…"


def _told(word: str, listing: list[tuple[str, str]]) -> list[tuple[str, str]]:
    said = ", ".join("#".join(place) for place in listing)
    print(f"{word} is listed by {said}", file=sys.stderr)
    return listing


def _listing(name: str) -> list[tuple[str, str]]:
    """The symptoms that list an alert or error, else the checks that do; of a line of a log, those of its error."""
    from runbook.search.index import Index
    from runbook.search.kept_entries import kept_entries

    books, _ = read_or_built_in()
    index = Index(books, kept_entries)
    listing = index.listing(name) or ([*index.named_in(name)] if " " in name.strip() else [])
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

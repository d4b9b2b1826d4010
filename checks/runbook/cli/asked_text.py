"""What is meant where an error text, a line of a log or a few words stand in place of a block."""

import re
import shlex
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from runbook.model.block import Diagnostic
from runbook.model.errors import UsageError
from runbook.run.sources.runbooks import find_block, read_or_built_in

if TYPE_CHECKING:
    from runbook.search.index import Index

Place = tuple[str, str]
"""A runbook and the id of a block in it."""

_NAME: Final = re.compile(r"(?:[A-Z]+[a-z\d]+){2,}[A-Z]*|[A-Z]+(?:_[A-Z]+)+")
_NEAREST: Final = 3  # places that are checked for a text that nothing lists; as many as `runbook find` calls near
_SHORT: Final = 60  # characters of a text that is said again. Our judgement: it is known again


def is_text(word: str) -> bool:
    """Whether it is a line of a log or a few words, and no file."""
    if " " not in word.strip() or ".md" in word:
        return False
    try:
        return not Path(word).exists()
    except OSError:  # longer than a file's name may be
        return True


def is_name(word: str) -> bool:
    """Whether it is written as alerts and errors are: KafkaDiskAlmostFull, NOT_ENOUGH_REPLICAS; no file's name is."""
    return _NAME.fullmatch(word) is not None


def listing(name: str, index: "Index | None" = None) -> list[Place]:
    """The symptoms that list an alert or error, else the checks that do; of a line of a log, those of its error."""
    index = index or _index()
    found = index.listing(name) or ([*index.named_in(name)] if " " in name.strip() or is_name(name) else [])
    best = [entry for entry in found if entry.kind == "diagnostic"] or [
        entry for entry in found if entry.kind == "check"
    ]
    return [_place(entry.name) for entry in best]


def meant_by_text(text: str) -> tuple[list[Place], bool]:
    """The symptoms and checks that list the error in a text, else those that speak of most of its words; says which.

    With it goes whether they list it.

    Raises:
        UsageError: none does.
    """
    index = _index()
    if found := listing(text, index):
        return said_to_list(text, found), True
    if not (near := [] if index.misspelt(text) else _speaking(text, index)):
        raise UsageError(f"no runbook, alert or error is named in this text: runbook find {shlex.quote(text)}")
    print(f"no runbook lists this text; checked is what shares its words: {_names(near)}", file=sys.stderr)
    return near, False


def said_to_list(text: str, found: list[Place]) -> list[Place]:
    """The places, after saying that they list a text."""
    short = text if len(text) <= _SHORT else f"{text[:_SHORT]}…"
    print(f"{short} is listed by {_names(found)}", file=sys.stderr)
    return found


def named_in(words: Iterable[str]) -> dict[str, str]:
    """The parameters of gates that error texts give: topics that are unknown to clients, the principal denied."""
    from runbook.search.names_in_text import principal_in, topics_in

    texts = [word for word in words if is_text(word)]
    topics = ",".join(topic for text in texts for topic in topics_in(text))
    principal = next(filter(None, map(principal_in, texts)), "")
    given = {"NAMED_TOPICS": topics, "NAMED_PRINCIPAL": principal}
    return {name: value for name, value in given.items() if value}


def _speaking(text: str, index: "Index") -> list[Place]:
    """The symptoms, causes and checks that speak of most of a text's words, the best first; a few at most."""
    hits = [hit for hit in index.search(text) if hit.kind in ("diagnostic", "cause", "check")]
    return [_place(hit.name) for hit in hits if _is_judged(hit.name)][:_NEAREST]


def _is_judged(name: str) -> bool:
    """Whether a check tells something of a block: of a symptom, one that tells its causes apart."""
    placed = find_block("#".join(_place(name))).placed
    return placed is not None and not (isinstance(placed.block, Diagnostic) and not placed.block.checks)


def _index() -> "Index":
    from runbook.search.index import Index
    from runbook.search.kept_entries import kept_entries

    books, _ = read_or_built_in()
    return Index(books, kept_entries)


def _place(name: str) -> Place:
    book, _, block = name.partition("/")
    return book, block


def _names(places: Iterable[Place]) -> str:
    return ", ".join("#".join(place) for place in places)

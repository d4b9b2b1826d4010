"""The index as a script for the site, which finds by it without a server: docs/scripts/find.js reads it."""

from collections.abc import Iterable
from pathlib import Path

import msgspec
from msgspec.structs import replace

from runbook.parse.runbook import Runbook
from runbook.plugins.content import builtin_runbooks
from runbook.search.entries import IndexEntry, entries_of
from runbook.search.error_names import error_names
from runbook.search.translations import in_english
from runbook.search.weights import WEIGHTS
from runbook.search.words import NEAR, OF_DISASTERS, SAY_NOTHING, SHORT


def site_index(books: Iterable[Runbook]) -> str:
    """A script that assigns the index of runbooks to a global, as a page from a folder can't fetch data."""
    entries = [entry for book in books for entry in entries_of(_as_shipped(book))]
    words = sorted({word for entry in entries for word in entry.words.values()})
    at = {word: place for place, word in enumerate(words)}
    kinds = [*WEIGHTS.helps]
    data = {
        "weights": WEIGHTS,
        "kinds": kinds,
        "silent": sorted(SAY_NOTHING),
        "short": SHORT,
        "near": NEAR,
        "english": in_english(),
        "disasters": OF_DISASTERS.split(","),
        "errors": [(known.code, known.name, known.exception, known.messages) for known in error_names()],
        "words": words,
        "places": [_row(entry, kinds.index(entry.kind), at) for entry in entries],
    }
    return f"window.RUNBOOK_FIND={msgspec.json.encode(data).decode()};\n"


def _as_shipped(book: Runbook) -> Runbook:
    """A built-in runbook that was read from its file as what it is: `runbook find` gives nobody's prose for it."""
    is_shipped = Path(book.path).resolve().parent == builtin_runbooks().resolve()
    return replace(book, origin="built-in") if is_shipped else book


def _row(entry: IndexEntry, kind: int, at: dict[str, int]) -> tuple[object, ...]:
    alerts = [known.name for known in entry.known if known.is_alert]
    errors = [known.name for known in entry.known if known.why.startswith("error ")]
    lines = [known.name for known in entry.known if known.tier == "log line"]  # some of them are errors as well
    flags = 1 * entry.ours + 2 * entry.of_disasters
    return (
        entry.name,
        entry.title,
        kind,
        flags,
        alerts,
        errors,
        sorted(at[word] for word in entry.words.values()),
        lines,
    )

"""The places of runbooks that were read for the index before: kept by the digest of the runbook's text."""

from collections.abc import Sequence
from typing import Final

import msgspec

from runbook.parse.runbook import Runbook
from runbook.plugins.kept_files import keep, kept, name_of
from runbook.search.entries import IndexEntry, entries_of
from runbook.search.error_names import TABLE as ERROR_NAMES
from runbook.search.log_lines import TABLE as LOG_LINES

KIND: Final = "index"
ROOMS: Final = ("model", "parse", "search")
"""The code that decides what the index has of a runbook."""


def kept_entries(book: Runbook) -> Sequence[IndexEntry]:
    """The places of a runbook, without reading a text for them that was read before."""
    name = name_for(book)
    data = kept(name)
    try:
        if data:
            return msgspec.msgpack.decode(data, type=list[IndexEntry])
    except (msgspec.DecodeError, UnicodeDecodeError):
        pass
    entries = [*entries_of(book)]
    keep(name, pack(entries))
    return entries


def name_for(book: Runbook) -> str:
    """The name of the file that keeps the search entries of a runbook."""
    tables = "".join(table.read_text("utf-8") for table in (ERROR_NAMES, LOG_LINES))
    return name_of(KIND, ROOMS, tables, book.digest, book.name, book.origin)


def pack(entries: Sequence[IndexEntry]) -> bytes:
    """What is kept of places: the same bytes for the same places."""
    return msgspec.msgpack.encode(entries, order="deterministic")

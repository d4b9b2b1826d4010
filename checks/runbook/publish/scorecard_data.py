"""The scorecard's tables as files to load elsewhere: CSV that no spreadsheet takes for formulas."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import Any, get_args, get_origin, get_type_hints

from runbook.publish.page import Page
from runbook.publish.scorecard import Scorecard, Tables
from runbook.publish.scorecard_rows import Trend
from runbook.publish.site_paths import data_file

FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""What a spreadsheet may take for the beginning of a formula."""

ORIGIN = {True: "generated, not measured", False: "measured"}
"""The last column of every CSV."""

_QUOTED = re.compile(r'[",\r\n]')


def data_files(card: Scorecard) -> Iterator[Page]:
    """Make the file of every table; as JSON all of them stand in scorecard.json."""
    for name, of in get_type_hints(Tables).items():
        rows = getattr(card.tables, name)
        columns, lines = _weeks(rows) if name == "trend" else _flat(get_args(of)[0], rows)
        yield Page(data_file(name), as_csv(columns, lines, ORIGIN[card.generated]))


def as_csv(columns: Sequence[str], rows: Iterable[Sequence[Any]], origin: str) -> str:
    """Write rows as CSV: texts that look like formulas get an apostrophe before them, numbers stay numbers.

    Lines end in CR LF. What is not known is an empty field, an empty text is a quoted one: readers that know the
    difference keep it.
    """
    lines = ([*columns, "origin"], *([*row, origin] for row in rows))
    return "".join(",".join(map(_written, line)) + "\r\n" for line in lines)


def _written(value: Any) -> str:
    """A field: what is not known is nothing at all, an empty text is two quotes (`csv` makes no difference)."""
    shown = _inert(value)
    text = "" if shown is None else str(shown)
    if shown is None or (text and not _QUOTED.search(text)):
        return text
    return '"' + text.replace('"', '""') + '"'


def _inert(value: Any) -> Any:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str) and value.lstrip(" \n").startswith(FORMULA):
        return f"'{value}"
    return value


def _flat(of: type, rows: Sequence[Any]) -> tuple[list[str], list[list[Any]]]:
    """Columns that hold one value each; what is nested stands in scorecard.json only."""
    columns = [name for name, hint in get_type_hints(of).items() if not _nested(hint)]
    return columns, [[getattr(row, column) for column in columns] for row in rows]


def _nested(hint: Any) -> bool:
    return any(get_origin(part) in {list, dict} for part in (hint, *get_args(hint)))


def _weeks(rows: Sequence[Trend]) -> tuple[list[str], list[list[Any]]]:
    """A line for each week."""
    columns = ["status", "score", "score_raw", "coverage", "redefined", "failed", "waived"]
    lines = [
        [row.environment, row.runbook, *week]
        for row in rows
        for week in zip_longest(row.weeks, *(getattr(row, column) for column in columns))
    ]
    return ["environment", "runbook", "week", *columns], lines

"""Rows in words, behind what their key says; those that one field decides, as one.

Sixty topics inherit what their cluster sets, and it stands in one line.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from msgspec import Struct

from runbook.judge.common_cause import noun_of
from runbook.judge.summary import NAMESPACE
from runbook.judge.template import show
from runbook.model.result import JudgedRow
from runbook.reports._screen import LONGEST

_NAMED: Final = 3
"""Rows of a group that are named: enough to see what they are. Our judgement."""


class RowGroup(Struct, frozen=True):
    """Rows that say the same of the same line of a file.

    Attributes:
        rows: of the group; at least one.
        says: what is wrong, with the names of the first.
    """

    rows: Sequence[JudgedRow]
    says: str

    @property
    def place(self) -> str:
        """FILE:LINE:COLUMN, as of each of them; empty where no file has it."""
        return self.rows[0].place

    def text(self) -> str:
        """What is wrong, with its place. Not made inert yet."""
        return _placed(self.rows[0], self.says)


def row_groups(rows: Iterable[JudgedRow]) -> list[RowGroup]:
    """Rows in groups, in the order of the first of each; what stands in no file is alone."""
    alike: dict[object, list[JudgedRow]] = {}
    for row in rows:
        alike.setdefault((row.place, row.message, row.outcome) if row.place else id(row), []).append(row)
    return [RowGroup(same, named_row(same[0]) if len(same) == 1 else _together(same)) for same in alike.values()]


def _together(rows: Sequence[JudgedRow]) -> str:
    names = [_name_and_namespace(row) for row in rows]
    shown = ", ".join(dict.fromkeys(name for name, _ in names[:_NAMED]))
    more = f" and {len(rows) - _NAMED:,} more" if len(rows) > _NAMED else ""
    namespaces = {namespace for _, namespace in names}
    about = _located(shown + more, namespaces.pop() if len(namespaces) == 1 else "")
    return f"{about}: {rows[0].message}" if about else rows[0].message


def row_text(row: JudgedRow) -> str:
    """A row with what its key says in front, and its place, unless its message has them. Not made inert yet."""
    return _placed(row, named_row(row))


def _placed(row: JudgedRow, says: str) -> str:
    place = row.place.rpartition(":")[0]
    said = not place or "{}, line {}".format(*place.rsplit(":", 1)) in row.message
    return says if said else f"{says} ({place})"


def named_row(row: JudgedRow) -> str:
    """The same, without its place."""
    values = _values(row)
    if not values:
        return row.message
    first = next(iter(values))
    begins = _begins(row.message, _told(row, first), f"{words_of(noun_of(row, first))} {values[first]}")
    if begins and all(_says(row.message, value) for value in values.values()):
        return row.message
    return f"{_located(*_name_and_namespace(row))}: {row.message}"


def _located(name: str, namespace: str) -> str:
    return f"{name} (namespace {namespace})" if namespace else name


def _name_and_namespace(row: JudgedRow) -> tuple[str, str]:
    """The values of a row's key, each once; and its namespace, unless nothing else names the row."""
    values = _values(row)
    where = values.pop(NAMESPACE, "") if len(values) > 1 else ""
    return ", ".join(dict.fromkeys(_told(row, name) for name in values)), where


def _values(row: JudgedRow) -> dict[str, str]:
    return {name: show(value) for name, value in row.key.items() if value != ""}


def _told(row: JudgedRow, name: str) -> str:
    """A value of a key, behind what it is a number of."""
    value = show(row.key[name])
    return value if isinstance(row.key[name], str) else f"{words_of(noun_of(row, name))} {value}"


def _begins(message: str, *beginnings: str) -> bool:
    return any(
        message.startswith(beginning) and not message[len(beginning) :][:1].isalnum() for beginning in beginnings
    )


def _says(message: str, value: str) -> bool:
    if len(value) > LONGEST:  # more than anybody would write twice, and too much for a pattern
        return value in message
    return re.search(rf"(?<!\w){re.escape(value)}(?!\w)", message) is not None


def words_of(entity: str) -> str:
    """The name of an entity in words."""
    return entity.replace("_", " ")

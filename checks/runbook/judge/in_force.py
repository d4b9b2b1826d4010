"""Commands that would set what is in force already: what people are told to do says so instead."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from runbook.judge.template import show
from runbook.model.column import ENTITIES, Column

_COMMAND: Final = re.compile(r"(?<!`)`(?P<command>[^`\s]+\s[^`]+|(?<=\b[Ss]et `)[^`\s]+)`(?!`)")
"""A command, or a setting behind the word set; what else stands in code sets nothing."""
_ASSIGNED: Final = re.compile(r"(?<![\w.{-])([a-z][a-z0-9_]*(?:\.[a-z0-9_]+)+)=([^\s,'\"`]+)")
_NAMED: Final = 5  # that have it already; our judgement
Settings = Mapping[str, tuple[str, Sequence[tuple[Any, Any]]]]
"""Setting → the entity whose rows tell it, and of each row concerned which one it is and its value."""


def settings_in(
    cells: Mapping[str, Sequence[Any]], columns: Mapping[str, Sequence[Column]], rows: Sequence[int]
) -> Settings:
    """The settings that some rows tell, with their values there.

    Args:
        cells: variable → its cells; those of a second look are named after it.
        columns: fact → its columns.
        rows: those concerned.
    """
    found = {}
    for fact, declared in columns.items():
        key = next((column for column in declared if column.key and column.entity), None)
        prefix = "after" if all(f"after.{column.name}" in cells for column in declared) else fact
        for column in declared:
            told = cells.get(f"{prefix}.{column.name}")
            if key and key.entity and column.setting and told is not None:
                found[column.setting] = (key.entity, [(cells[f"{prefix}.{key.name}"][row], told[row]) for row in rows])
    return found


def without_what_is_in_force(text: str, settings: Settings) -> str:
    """A text for people; where a command of it would set what all rows have, that is said in its place.

    Where some have it, they are named behind it.
    """

    def said(found: re.Match[str]) -> str:
        assigned = _ASSIGNED.findall(found["command"])
        have = [_have(found["command"], name, value, settings) for name, value in assigned]
        there = set.intersection(*(set(names) for names, _ in have)) if have else set()
        if not there:
            return found[0]
        if all(everybody for _, everybody in have):
            return f"({', '.join(f'{name} is {value}' for name, value in assigned)} already)"
        names = [*map(str, sorted(there))]
        more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
        return f"{found[0]} ({', '.join(names[:_NAMED])}{more} {'has' if len(names) == 1 else 'have'} it already)"

    return _COMMAND.sub(said, text) if settings and "=" in text else text


def _have(command: str, name: str, value: str, settings: Settings) -> tuple[list[Any], bool]:
    """Which rows have the value, and whether all do.

    What a command sets for one of less is none of theirs: topics of a broker, say.
    """
    entity, rows = settings.get(name, ("", []))
    named = [ENTITIES.index(one) for one in ENTITIES if re.search(rf"\b{one}s?\b", command)]
    if not rows or min(named, default=0) > ENTITIES.index(entity):
        return [], False
    have = [row for row, cell in rows if _same(cell, value)]
    return have, len(have) == len(rows)


def _same(cell: Any, value: str) -> bool:
    if isinstance(cell, list):
        return {*map(str, cell)} == {*value.split(",")}
    return cell is not None and show(cell) == value

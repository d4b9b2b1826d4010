"""Commands that would set what is in force already: what people are told to do says so instead."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from runbook.judge.template import show
from runbook.model.column import ENTITIES, Column

_COMMAND: Final = re.compile(r"(?<!`)`(?P<command>[^`\s]+\s[^`]+|(?<=\b[Ss]et `)[^`\s]+)`(?!`)")
"""A command, or a setting behind the word set; what else stands in code sets nothing."""
_ASSIGNED: Final = re.compile(r"(?<![\w.{-])([a-z][a-z0-9_]*(?:\.[a-z0-9_]+)+)=([^\s,'\"`]+)")
Settings = Mapping[str, tuple[str, Sequence[Any]]]
"""Setting → the entity whose rows tell it, and its values in the rows concerned."""


def settings_in(
    cells: Mapping[str, list[Any]], columns: Mapping[str, Sequence[Column]], rows: Sequence[int]
) -> Settings:
    """The settings that some rows tell, with their values there.

    Args:
        cells: variable → its cells; those of a second look are named after it.
        columns: fact → its columns.
        rows: those concerned.
    """
    found = {}
    for fact, declared in columns.items():
        entity = next((column.entity for column in declared if column.key and column.entity), None)
        for column in declared:
            told = cells.get(f"{fact}.{column.name}") or cells.get(f"after.{column.name}")
            if entity and column.setting and told is not None:
                found[column.setting] = (entity, [told[row] for row in rows])
    return found


def without_what_is_in_force(text: str, settings: Settings) -> str:
    """A text for people; where a command of it would set what all rows have, that is said in its place."""

    def said(found: re.Match[str]) -> str:
        assigned = _ASSIGNED.findall(found["command"])
        if not assigned or not all(_is_so(found["command"], *one, settings) for one in assigned):
            return found[0]
        return f"({', '.join(f'{name} is {value}' for name, value in assigned)} already)"

    return _COMMAND.sub(said, text) if settings and "=" in text else text


def _is_so(command: str, name: str, value: str, settings: Settings) -> bool:
    """Whether all rows have the value; what a command sets for one of less is none of them: topics of a broker, say."""
    entity, values = settings.get(name, ("", []))
    named = [ENTITIES.index(one) for one in ENTITIES if re.search(rf"\b{one}s?\b", command)]
    return bool(values) and all(_same(one, value) for one in values) and min(named, default=0) <= ENTITIES.index(entity)


def _same(cell: Any, value: str) -> bool:
    if isinstance(cell, list):
        return {*map(str, cell)} == {*value.split(",")}
    return cell is not None and show(cell) == value

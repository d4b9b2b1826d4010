"""How much of a schema is read: a registry's text is a stranger's, and must not stop a run.

The bounds are this project's own. Kafka keeps schemas as records of a topic, where brokers take 1 MiB by default.
"""

import json
import re
from typing import Any, Final

from schema_compat.parsed import SchemaError

LONGEST: Final = 1 << 20
"""Characters of a schema."""
DEEPEST: Final = 48
"""Levels of nesting in the text, and of types within types."""
MOST_FIELDS: Final = 5_000
"""Fields of a schema, those of a type that is used twice counted twice."""

_QUOTED: Final = re.compile(r'"(?:[^"\\\n]|\\.)*"')
_BRACKET: Final = re.compile(r"[\[{(<]|[\]})>]")


def bounded(text: str, kind: str, longest: int = LONGEST) -> str:
    """Give the text back if it is short enough.

    Raises:
        SchemaError: it is longer than `longest` characters.
    """
    if len(text) > longest:
        raise SchemaError(f"The {kind} schema has {len(text):,} characters; at most {longest:,} are read")
    return text


def json_value(text: str, kind: str) -> Any:
    """Read JSON that may come from anybody.

    Raises:
        SchemaError: it is too long, too deep, or no JSON; with line and column.
    """
    refuse_deep(_QUOTED.sub("", bounded(text, kind)), kind)
    try:
        return json.loads(text, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise SchemaError(f"The {kind} schema is no JSON: {place}: {error.msg}") from None
    except (ValueError, RecursionError) as error:
        raise SchemaError(f"The {kind} schema is no JSON: {error}") from None


def refuse_deep(bare: str, kind: str) -> None:
    """Look how deep brackets nest in a text without its quoted parts.

    Raises:
        SchemaError: deeper than DEEPEST.
    """
    depth = 0
    for found in _BRACKET.finditer(bare):
        depth += 1 if found[0] in "[{(<" else -1
        if depth > DEEPEST:
            raise SchemaError(f"The {kind} schema nests deeper than {DEEPEST} levels")


def _refuse_constant(word: str) -> None:
    raise ValueError(f"{word} is no value of JSON")

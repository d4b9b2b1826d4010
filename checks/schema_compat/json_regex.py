"""Regular expressions out of strangers' schemas: tried only where they can't run for long."""

import re
from functools import lru_cache
from typing import Final

from schema_compat.parsed import UndecidedSchema

LONGEST: Final = 128
"""Characters of a text that is tried, and twice that of an expression."""
_MOST_REPEATS: Final = 3
"""Parts of an expression that repeat as they like: the time is some power of the text's length by them."""
_REPEAT: Final = re.compile(r"[*+]|\{\d*,\d*\}")
_ESCAPED: Final = re.compile(r"\\.|\[(?:\\.|[^\]\\])*\]")
_GROUP_REPEATS: Final = re.compile(r"\)\s*(?:[*+{])|\(\?[^:]|\\[1-9]")
"""A group that repeats, looks around or refers back may take exponential time."""


def matches(expression: str, text: str) -> bool:
    """Whether an expression is found in a text, as JSON Schema has it.

    Raises:
        Undecided: it might run for long, or Python does not know it.
    """
    found = _compiled(expression)
    if found is None or len(text) > LONGEST:
        raise UndecidedSchema(
            f"The pattern {expression[:60]} is not tried: it may run for long, or is of another dialect"
        )
    return found.search(text) is not None


def harmless(expression: str) -> bool:
    """Whether an expression can be tried on a text that is not long."""
    return _compiled(expression) is not None


def takes_any(expression: str) -> bool:
    """Whether an expression is found in every text: it may be empty wherever it is tried, and is tied to no place."""
    found = _compiled(expression)
    tied = re.search(r"[$^]", _ESCAPED.sub("x", expression)) or re.search(r"\\[bBAZ]", expression)
    return found is not None and not tied and found.search("") is not None


@lru_cache(maxsize=1024)
def _compiled(expression: str) -> "re.Pattern[str] | None":
    bare = _ESCAPED.sub("x", expression)
    if len(expression) > 2 * LONGEST or len(_REPEAT.findall(bare)) > _MOST_REPEATS:
        return None
    if _GROUP_REPEATS.search(bare) or re.search(r"\\[1-9kpP]", expression):
        return None
    try:
        return re.compile(expression)
    except (re.error, OverflowError, RecursionError):
        return None

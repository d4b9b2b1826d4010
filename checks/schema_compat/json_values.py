"""Single values: whether a reader's bounds of numbers, texts, arrays and objects hold those of a writer's case."""

import math
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final

from schema_compat.json_node import WHOLE, SchemaCase, SchemaNode
from schema_compat.json_regex import takes_any

Found = Iterator[tuple[str, str]]
"""Rule and words."""

_COUNTS: Final = {
    "string": ("minLength", "maxLength"),
    "array": ("minItems", "maxItems"),
    "object": ("minProperties", "maxProperties"),
}

_VAST: Final = 10**300
Bound = tuple[float, bool]
"""A limit, and whether it is itself left out."""


def counts(kind: str, reader: SchemaNode, case: SchemaCase, least: int = 0, most: int | None = None) -> Found:
    """Length of texts and arrays, number of an object's fields.

    Args:
        kind: string, array or object.
        reader: its own keywords.
        case: of the writer.
        least: how many the writer has for other reasons.
        most: likewise, at most.
    """
    low, high = _COUNTS[kind]
    wanted, allowed = reader.get(low), reader.get(high)
    writes = max([least, *(value for _, value in case.having(low))])
    if wanted is not None and writes < wanted:
        yield low, f"the reader takes {wanted} or more, and the writer may write {_number(writes)}"
    limits = [value for _, value in case.having(high)] + ([] if most is None else [most])
    if allowed is not None and (not limits or min(limits) > allowed):
        yield high, f"the reader takes {allowed} at most, and the writer {_up_to(limits)}"


def _up_to(limits: list[float]) -> str:
    return f"may write {_number(min(limits))}" if limits else "any number"


def texts(reader: SchemaNode, case: SchemaCase) -> Found:
    """Pattern and format: the writer's is word by word the reader's, or it is none."""
    for keyword in ("pattern", "format", "contentEncoding", "contentMediaType"):
        wanted = reader.get(keyword)
        if keyword == "pattern" and isinstance(wanted, str) and takes_any(wanted):
            continue
        if wanted is not None and all(value != wanted for _, value in case.having(keyword)):
            has = [str(value)[:60] for _, value in case.having(keyword)]
            yield keyword, f"the reader takes {str(wanted)[:60]}, and the writer writes {has[0] if has else 'any'}"


def numbers(kind: str, reader: SchemaNode, case: SchemaCase) -> Found:
    """Limits and multiples of whole numbers, or of those with a fraction."""
    whole = kind == WHOLE
    low, high = _limits(reader, -1, whole=whole), _limits(reader, 1, whole=whole)
    lows = [bound for atom in case.atoms if (bound := _limits(atom, -1, whole=whole))]
    highs = [bound for atom in case.atoms if (bound := _limits(atom, 1, whole=whole))]
    if low and not any(_within(bound, low, -1) for bound in lows):
        yield "minimum", f"the reader takes {_words(low, 'from')}, and the writer {_range(lows, 'from')}"
    if high and not any(_within(bound, high, 1) for bound in highs):
        yield "maximum", f"the reader takes {_words(high, 'to')}, and the writer {_range(highs, 'to')}"
    step = reader.get("multipleOf")
    steps = [value for _, value in case.having("multipleOf")] + ([1] if whole else [])
    if step is not None and not any(_multiple(value, step) for value in steps):
        yield "multipleOf", f"the reader takes multiples of {step}, and the writer others too"


def _limits(node: SchemaNode, side: int, *, whole: bool) -> Bound | None:
    """The lower (-1) or upper (1) limit in one schema's own keywords; in draft 4 a boolean makes it exclusive."""
    word = "inimum" if side < 0 else "aximum"
    plain, exclusive = node.get(f"{'m'}{word}"), node.get(f"exclusiveM{word}")
    found: list[Bound] = []
    if plain is not None:
        found.append((plain, exclusive is True))
    if exclusive is not None and not isinstance(exclusive, bool):
        found.append((exclusive, True))
    if not found:
        return None
    limit, out = max(found, key=lambda bound: (-side * bound[0], bound[1]))
    if whole and abs(limit) != math.inf:  # no float is made of it: JSON has numbers that none can hold
        nearest = math.floor(limit) if side > 0 else math.ceil(limit)
        return (nearest - side if out and nearest == limit else nearest, False)
    return limit, out


def _within(inner: Bound, outer: Bound, side: int) -> bool:
    if inner[0] == outer[0]:
        return inner[1] or not outer[1]
    return inner[0] > outer[0] if side < 0 else inner[0] < outer[0]


def _words(bound: Bound, word: str) -> str:
    return f"{word} {_number(bound[0])}{' (itself not)' if bound[1] else ''}"


def _number(value: float) -> str:
    """As people read it, however large: JSON's whole numbers have no end."""
    return f"{value:g}" if abs(value) < _VAST or abs(value) == math.inf else f"{Decimal(value):.5e}"


def _range(bounds: list[Bound], word: str) -> str:
    return f"writes {_words(bounds[0], word)}" if bounds else "any"


def _multiple(value: Any, step: Any) -> bool:
    try:
        return (Fraction(str(value)) / Fraction(str(step))).denominator == 1
    except (ValueError, ZeroDivisionError, OverflowError):
        return False

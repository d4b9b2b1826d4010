"""What each release of Kafka defines of its settings: type, default, importance, and which values it takes.

The data is read from the ConfigDef of Kafka's own classes (`tests/support/setting_facts.py` makes it again).
"""

import json
import lzma
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final, Literal

from msgspec import Struct

FACTS: Final = Path(__file__).with_name("facts.json.xz")
Kind = Literal["broker", "topic", "producer", "consumer", "admin", "connect", "connect-standalone", "streams"]


class DefinedSetting(Struct, frozen=True):
    """A setting of one kind, as a release defines it.

    Attributes:
        type: of ConfigDef.Type, as INT.
        required: whether it has no default.
        default: as text; None if it is null, or required.
        importance: HIGH, MEDIUM or LOW.
        validator: class (`is`) and fields of what checks its value; None for nothing.
    """

    type: str
    required: bool
    default: str | None
    importance: str
    validator: Mapping[str, Any] | None


def releases() -> list[str]:
    """The releases that the data is of, oldest first, as 4.3.0."""
    of: list[str] = _data()["releases"]
    return of


@cache
def settings(kind: Kind, release: str) -> Mapping[str, DefinedSetting]:
    """Name -> setting, of a kind and a release, which must be one of `releases`."""
    place = releases().index(release)
    found = {}
    for name, spans in _data()["kinds"][kind].items():
        for first, last, type_, default, importance, validator in spans:
            if first <= place <= last:
                text = default[1:] if default[0] == "=" else None
                found[name] = DefinedSetting(type_, default == "-", text, importance, validator)
    return found


@cache
def _data() -> dict[str, Any]:
    read: dict[str, Any] = json.loads(lzma.decompress(FACTS.read_bytes()))
    return read


class Rule(Struct, frozen=True, kw_only=True):
    """A condition that a constructor checks.

    Attributes:
        kinds: of configurations that have it.
        settings: whose values it is of, in the order in which `holds` takes them; the first is to blame.
        holds: whether the values fit together; None is the value of a setting that has none.
        says: Kafka's words where they do not; {0} is the first value.
        source: class and method.
        since, until: the first release, and the last; "" for every one that is known.
        given: settings of which one at least must be in the file for the rule to count; empty: it always does.
    """

    kinds: Sequence[Kind]
    settings: Sequence[str]
    holds: Callable[..., bool]
    says: str
    source: str
    since: str = ""
    until: str = ""
    given: Sequence[str] = ()

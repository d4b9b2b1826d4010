"""Settings of MirrorMaker as they were given: each with the key that was written, and readable by its Java type."""

import re
from collections.abc import Mapping

from msgspec import Struct

_WHOLE = re.compile(r"[+-]?\d{1,18}")


class GivenSettings(Struct, frozen=True):
    """One setting.

    Attributes:
        value: as text; None where it refers to elsewhere, hidden if it is a credential.
        key: what was written: in a file of a dedicated MirrorMaker that is not the setting's own name.
    """

    value: str | None
    key: str


Configuration = Mapping[str, GivenSettings]
"""What a connector, or a worker, is given, by the setting's own name."""


def as_written(settings: Mapping[str, str | None]) -> dict[str, GivenSettings]:
    """Settings that were given by their own names, as a connector's are."""
    return {name: GivenSettings(value, name) for name, value in settings.items()}


def text(settings: Configuration, name: str, default: str | None = "") -> str | None:
    """A setting's value; None where it refers to elsewhere."""
    given = settings.get(name)
    if given is None:
        return default
    return None if given.value is None else given.value.strip()


def number(settings: Configuration, name: str, default: int) -> int | None:
    """A setting's value as a number; None where it is none."""
    value = text(settings, name, str(default))
    return int(value) if value is not None and _WHOLE.fullmatch(value) else None


def switch(settings: Configuration, name: str, *, default: bool) -> bool | None:
    """A setting's value as true or false; None where it is neither, as Kafka takes nothing else."""
    value = text(settings, name, str(default))
    return None if value is None else {"true": True, "false": False}.get(value.lower())


def listed(settings: Configuration, name: str, default: tuple[str, ...] = ()) -> tuple[str, ...] | None:
    """A setting's value as a list, which commas part; None where it refers to elsewhere."""
    if name not in settings:
        return default
    value = text(settings, name)
    if value is None:
        return None
    return tuple(part.strip() for part in value.split(",")) if value else ()

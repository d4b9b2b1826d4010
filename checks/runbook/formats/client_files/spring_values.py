"""How Spring Boot converts texts to the types of its properties (ApplicationConversionService of Spring Boot 3.4)."""

import re
from collections.abc import Callable, Mapping
from typing import Final

_TRUE: Final = {"true", "on", "yes", "1"}
_FALSE: Final = {"false", "off", "no", "0"}
_TIME: Final = re.compile(r"([+-]?[0-9]+)(ns|us|ms|s|m|h|d)?", re.IGNORECASE)
_ISO: Final = re.compile(
    r"[+-]?P(?:([+-]?[0-9]+)D)?(?:T(?:([+-]?[0-9]+)H)?(?:([+-]?[0-9]+)M)?(?:([+-]?[0-9]+)S)?)?", re.IGNORECASE
)
_SIZE: Final = re.compile(r"([+-]?[0-9]+)(B|KB|MB|GB|TB)?")
_INTEGER: Final = re.compile(r"[+-]?(0[xX][0-9a-fA-F]+|#[0-9a-fA-F]+|[0-9]+)")
_NS: Final = {"ns": 1, "us": 10**3, "ms": 10**6, "s": 10**9, "m": 60 * 10**9, "h": 3600 * 10**9, "d": 86400 * 10**9}
_SHIFTS: Final = {"B": 0, "KB": 10, "MB": 20, "GB": 30, "TB": 40}
_LEVELS: Final = {"readuncommitted": "read_uncommitted", "readcommitted": "read_committed"}


class NotConvertedError(Exception):
    """Spring Boot does not start with this text: why."""


def converted(value: str, of_type: str) -> str | None:
    """A value as Kafka's client is given it; None where an empty text counts as nothing.

    Args:
        value: as written.
        of_type: list, bool, int, ms, bytes, resource, class or isolation; empty for a text, which is taken as it is.

    Raises:
        NotConvertedError: it is none of the type.
    """
    if not of_type:
        return value
    if not value.strip():
        return value if of_type == "list" else None
    return _WAYS[of_type](value)


def _list(value: str) -> str:
    return ",".join(part.strip() for part in value.split(","))


def _bool(value: str) -> str:
    word = value.strip().lower()
    if word not in _TRUE | _FALSE:
        raise NotConvertedError(f"{value!r} is no boolean")
    return "true" if word in _TRUE else "false"


def _int(value: str) -> str:
    bare = "".join(value.split())
    if not _INTEGER.fullmatch(bare):
        raise NotConvertedError(f"{value!r} is no integer")
    return str(int(bare.replace("#", "0x"), 16) if "x" in bare.lower() or "#" in bare else int(bare))


def _ms(value: str) -> str:
    if time := _TIME.fullmatch(value.strip()):
        return str(int(time[1]) * _NS[(time[2] or "ms").lower()] // 10**6)
    if (iso := _ISO.fullmatch(value.strip())) and any(iso.groups()):
        # not made up: a unit that an ISO duration leaves out is none of that unit
        days, hours, minutes, seconds = (int(part or 0) for part in iso.groups())
        return str((((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000)
    raise NotConvertedError(f"{value!r} is no duration")


def _bytes(value: str) -> str:
    size = _SIZE.fullmatch(value.strip())
    if size is None:
        raise NotConvertedError(f"{value!r} is no size of data")
    return str(int(size[1]) << _SHIFTS[size[2] or "B"])


def _resource(value: str) -> str:
    """The path of a file; what is on the class path, as all without a prefix, is where only Spring knows."""
    return value.removeprefix("file:") if value.startswith("file:") else f"${{{value}}}"


def _class(value: str) -> str:
    if "." not in value:
        raise NotConvertedError(f"{value!r} is no class")
    return value.strip()


def _isolation(value: str) -> str:
    word = re.sub("[^a-z]", "", value.lower())
    if word not in _LEVELS:
        raise NotConvertedError(f"{value!r} is no isolation level")
    return _LEVELS[word]


_WAYS: Final[Mapping[str, Callable[[str], str]]] = {
    "list": _list,
    "bool": _bool,
    "int": _int,
    "ms": _ms,
    "bytes": _bytes,
    "resource": _resource,
    "class": _class,
    "isolation": _isolation,
}

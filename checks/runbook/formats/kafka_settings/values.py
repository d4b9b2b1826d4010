"""Which values Kafka takes for a single setting, and in which words it refuses others.

As ConfigDef.parseType and its validators do it, Apache Kafka 4.3.0 (and ValidList as 3.9.1 has it). That a class can be
loaded is taken for granted: a file does not tell what is on the class path.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from runbook.formats.kafka_settings.facts import DefinedSetting
from runbook.formats.release_numbers import numbers

UNKNOWN: Final = object()
"""A value that stands elsewhere, or that only Kafka itself can judge."""

_OF_JAVA: Final = {"inter.worker.key.size"}  # the algorithms of the Java that runs it decide
_WHITE = "".join(map(chr, range(33)))  # what String.trim of Java takes away
_ELSEWHERE = re.compile(r"\$\{[^}]*\}")
_BITS: Final = {"SHORT": 16, "INT": 32, "LONG": 64}
_INTEGER = re.compile(r"[+-]?[0-9]+")
_DOUBLE = re.compile(r"[+-]?(NaN|Infinity|([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?[fFdD]?)")
_LIST = re.compile(r"[ \t\n\x0b\f\r]*,[ \t\n\x0b\f\r]*")
_CLASS = re.compile(r"\[*[\w$]+(\.[\w$]+)*;?")
_HOST = re.compile(r"(?:[0-9a-zA-Z\-%._]*://)?\[?([0-9a-zA-Z\-%._:]*)]?:([0-9]+)")
_DURATION = re.compile(
    r"\+?P(?=.)(\+?[0-9]+D)?(T(?=.)(\+?[0-9]+H)?(\+?[0-9]+M)?(\+?[0-9]+([.,][0-9]{0,9})?S)?)?", re.IGNORECASE
)
_VERSION = re.compile(r"(0\.[0-9]+\.[0-9]+|[1-9][0-9]*\.[0-9]+)(-IV[0-9]+)?")
_MINORS = ((0, 8, 0), (0, 8, 1), (0, 8, 2), (0, 9, 0), (0, 10, 0), (0, 10, 1), (0, 10, 2), (0, 11, 0), (1, 0), (1, 1))
_OF_TWO = 8  # the last minor release of Kafka 2


class NotTakenError(Exception):
    """Kafka refuses the value; the message is in its words."""


def read(name: str, setting: DefinedSetting, text: str) -> Any:
    """The value of a setting as Kafka reads it, or UNKNOWN.

    Raises:
        NotTakenError: Kafka does not take it.
    """
    if _ELSEWHERE.search(text) or name in _OF_JAVA:
        return UNKNOWN
    value = _typed(name, setting.type, text)
    if setting.validator is None:
        return value
    if "isEmptyAllowed" in setting.validator:
        value = list(dict.fromkeys(value))  # ConfigDef.parseValue: duplicates are removed
    return _valid(name, value, {**setting.validator, "default": setting.default})


def default(setting: DefinedSetting) -> Any:
    """The value that holds where nothing is set; None for null."""
    return None if setting.default is None else _typed("", setting.type, setting.default)


def invalid(name: str, value: object, why: str) -> NotTakenError:
    """What Kafka's ConfigException says of a value."""
    return NotTakenError(f"Invalid value {_shown(value)} for configuration {name}: {why}")


_LONGEST = 99  # our judgement: leading zeros beside the 20 characters of a long


def _typed(name: str, kind: str, text: str) -> Any:
    trimmed = text.strip(_WHITE)
    if kind == "BOOLEAN":
        if trimmed.lower() not in ("true", "false"):
            raise invalid(name, text, "Expected value to be either true or false")
        return trimmed.lower() == "true"
    if kind in _BITS:
        bound = 1 << (_BITS[kind] - 1)
        if len(trimmed) > _LONGEST or not _INTEGER.fullmatch(trimmed) or not -bound <= int(trimmed) < bound:
            raise invalid(name, text, f"Not a number of type {kind}")
        return int(trimmed)
    if kind == "DOUBLE":
        if not _DOUBLE.fullmatch(trimmed):
            raise invalid(name, text, "Not a number of type DOUBLE")
        return float(trimmed.rstrip("fFdD") if trimmed[-1:] in "fFdD" else trimmed)
    if kind == "LIST":
        return _LIST.split(trimmed) if trimmed else []
    if kind == "CLASS" and not _CLASS.fullmatch(trimmed):
        raise invalid(name, text, f"Class {text} could not be found.")
    return trimmed


def _valid(name: str, value: Any, validator: Mapping[str, Any]) -> Any:
    kind = validator["is"]
    judge = _SPECIAL.get(name) or _VALIDATORS.get(kind)
    if judge is None:
        return UNKNOWN
    for wrong in judge(name, value, validator):
        raise wrong
    return value


def _range(name: str, value: Any, of: Mapping[str, Any]) -> Iterator[NotTakenError]:
    if "min" in of and value < of["min"]:
        yield invalid(name, value, f"Value must be at least {of['min']}")
    if "max" in of and value > of["max"]:
        yield invalid(name, value, f"Value must be no more than {of['max']}")


def _one_of(name: str, value: str, of: Mapping[str, Any]) -> Iterator[NotTakenError]:
    if value not in of["validStrings"]:
        yield invalid(name, value, f"String must be one of: {', '.join(map(str, of['validStrings']))}")


def _one_of_any_case(name: str, value: str, of: Mapping[str, Any]) -> Iterator[NotTakenError]:
    if value.upper() not in of["validStrings"]:
        words = ", ".join(sorted(of["validStrings"]))
        yield invalid(name, value, f"String must be one of (case insensitive): {words}")


def _list(name: str, value: list[str], of: Mapping[str, Any]) -> Iterator[NotTakenError]:
    words = of["validString"]
    if "isEmptyAllowed" in of:  # since 4.0
        if not value and not of["isEmptyAllowed"]:
            valid = f"[{', '.join(words)}]" if words else "any non-empty value"
            yield NotTakenError(f"Configuration '{name}' must not be empty. Valid values include: {valid}")
        if "" in value:
            yield NotTakenError(f"Configuration '{name}' values must not be empty.")
    if words or "isEmptyAllowed" not in of:
        for one in value:
            yield from _one_of(name, one, {"validStrings": words})


def _not_empty(name: str, value: str, _of: Mapping[str, Any]) -> Iterator[NotTakenError]:
    if not value:
        yield invalid(name, value, "String must be non-empty")


def _of_size(name: str, value: list[str], of: Mapping[str, Any]) -> Iterator[NotTakenError]:
    if len(value) > of["maxSize"]:
        yield invalid(name, value, f"exceeds maximum list size of [{of['maxSize']}].")


def _taken(_name: str, _value: object, _of: Mapping[str, Any]) -> Iterator[NotTakenError]:
    yield from ()


_VALIDATORS: Final[Mapping[str, Callable[[str, Any, Mapping[str, Any]], Iterator[NotTakenError]]]] = {
    "Range": _range,
    "ValidString": _one_of,
    "CaseInsensitiveValidString": _one_of_any_case,
    "ValidList": _list,
    "NonEmptyString": _not_empty,
    "NonNullValidator": _taken,
    "ListSize": _of_size,
}


def _voters(name: str, value: list[str], _of: Mapping[str, Any]) -> Iterator[NotTakenError]:
    for entry in value:
        number, _, address = entry.partition("@")
        if entry.rstrip("@").count("@") != 1 or (not number and not address):
            yield NotTakenError(
                f"Invalid configuration value for {name}. Each entry should be in the form `{{id}}@{{host}}:{{port}}`."
            )
        elif not _INTEGER.fullmatch(number):
            yield NotTakenError(f"Failed to parse voter ID as an integer from {number}")
        elif not _HOST.fullmatch(address.rstrip("@")):
            yield NotTakenError(
                f"Failed to parse host name from entry {entry} for the configuration {name}. "
                "Each entry should be in the form `{id}@{host}:{port}`."
            )


def _servers(name: str, value: list[str], _of: Mapping[str, Any]) -> Iterator[NotTakenError]:
    for entry in value:
        if not _HOST.fullmatch(entry):
            yield NotTakenError(
                f"Failed to parse host name from {entry} for the configuration {name}. "
                'Each entry should be in the form "{host}:{port}"'
            )


def _offset_reset(name: str, value: str, of: Mapping[str, Any]) -> Iterator[NotTakenError]:
    if of["is"] == "ValidString":
        yield from _one_of(name, value, of)
    elif value not in ("earliest", "latest", "none") and not (
        value.startswith("by_duration:") and _DURATION.fullmatch(value.removeprefix("by_duration:"))
    ):
        yield invalid(
            name,
            value,
            f"Invalid value `{value}` for configuration {name}. The value must be either 'earliest', 'latest', 'none' "
            "or of the format 'by_duration:<PnDTnHnMn.nS.>'.",
        )


def _gzip(name: str, value: int, _of: Mapping[str, Any]) -> Iterator[NotTakenError]:
    if value != -1 and not 1 <= value <= 9:  # noqa: PLR2004 - java.util.zip.Deflater's levels
        yield invalid(name, value, "Value must be between 1 and 9 or equal to -1")


def _count(name: str, value: int, _of: Mapping[str, Any]) -> Iterator[NotTakenError]:
    if value < -1 or value == 0:
        yield invalid(name, value, "Value must be -1 to use the broker's default, or at least 1")


def _version(name: str, value: str, of: Mapping[str, Any]) -> Iterator[NotTakenError]:
    """Of inter.broker.protocol.version: the release's own is the default, and the newest that there is."""
    segments = 3 if value.startswith("0.") else 2
    found = _VERSION.fullmatch(".".join(value.split(".")[:segments]))
    newest = numbers(of["default"].partition("-")[0])
    at = numbers(found[1]) if found else ()
    known = at in _MINORS or (at[:1] == (2,) and at[1] <= _OF_TWO) or (at[:1] == (3,) and at <= newest)
    if not known:
        yield invalid(name, value, f"Version {value} is not a valid version")


_SPECIAL: Final[Mapping[str, Callable[[str, Any, Mapping[str, Any]], Iterator[NotTakenError]]]] = {
    "controller.quorum.voters": _voters,
    "controller.quorum.bootstrap.servers": _servers,
    "auto.offset.reset": _offset_reset,
    "compression.gzip.level": _gzip,
    "config.storage.replication.factor": _count,
    "inter.broker.protocol.version": _version,
    "log.message.format.version": _version,
    "message.format.version": _version,
    "offset.storage.partitions": _count,
    "offset.storage.replication.factor": _count,
    "status.storage.partitions": _count,
    "status.storage.replication.factor": _count,
}
"""Validators of one setting alone, by its name."""


def _shown(value: object) -> str:
    if isinstance(value, list):
        return f"[{', '.join(value)}]"
    return str(value).lower() if isinstance(value, bool) else str(value)

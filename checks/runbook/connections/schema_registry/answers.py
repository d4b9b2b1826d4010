"""What a registry's answers say, and that they are such answers at all."""

from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from runbook.model.errors import Garbled

T = TypeVar("T")

_LONGEST = 200  # characters of a library's words about what is wrong
DEFAULT_TYPE = "AVRO"
"""A registry leaves the type out where it is this one."""


class Reference(Struct, frozen=True):
    """Another schema that one builds on, under the name by which it does."""

    name: str
    subject: str
    version: int


class Schema(Struct, frozen=True):
    """One version of a subject, as a registry tells it."""

    subject: str
    version: int
    id: int
    schema: str
    schemaType: str = DEFAULT_TYPE  # noqa: N815 - the registry's own name of it
    references: list[Reference] = []


class CompatibilityAnswer(Struct, frozen=True):
    """What a registry says of a schema that it was shown: whether it would do, and why not."""

    is_compatible: bool
    messages: list[str] = []


class _Level(Struct):
    """A level under either of its two names."""

    compatibilityLevel: str = ""  # noqa: N815 - the registry's own name of it
    compatibility: str = ""


class _Mode(Struct):
    mode: str


class _Version(Struct):
    version: str = ""


def subjects(body: bytes) -> list[str]:
    """The names of subjects, in order."""
    return sorted(_read(body, list[str]))


def types(body: bytes) -> list[str]:
    """The types of schemas that a registry takes, in order."""
    return sorted(_read(body, list[str]))


def versions(body: bytes) -> list[int]:
    """The numbers of a subject's versions, in order."""
    return sorted(_read(body, list[int]))


def schema(body: bytes) -> Schema:
    """One version of a subject."""
    return _read(body, Schema)


def schemas(body: bytes) -> list[Schema] | None:
    """A page of all schemas; None where the registry does not say which subject each is of, as Apicurio 3 does not."""
    listed = _read(body, list[dict[str, Any]])
    if any("subject" not in entry for entry in listed):
        return None
    return _convert(listed, list[Schema])


def trial(body: bytes) -> CompatibilityAnswer:
    """What a registry says of a schema that it was shown."""
    return _read(body, CompatibilityAnswer)


def level(body: bytes) -> str:
    """A level of compatibility."""
    answer = _read(body, _Level)
    if found := answer.compatibilityLevel or answer.compatibility:
        return found
    raise Garbled("answered with a configuration without a compatibility level")


def mode(body: bytes) -> str:
    """A mode."""
    return _read(body, _Mode).mode


def version(body: bytes) -> str:
    """The version of the registry itself, "" if it does not tell."""
    return _read(body, _Version).version


def _read(body: bytes, kind: type[T]) -> T:
    try:
        return msgspec.json.decode(body, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise _garbled(error) from error


def _convert(value: Any, kind: type[T]) -> T:
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        raise _garbled(error) from error


def _garbled(error: Exception) -> Garbled:
    return Garbled(f"did not answer as a Schema Registry does: {str(error)[:_LONGEST]}")

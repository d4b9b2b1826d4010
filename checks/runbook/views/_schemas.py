"""Schemas of a registry, read: each text once, with all that it refers to. Shared by the views on schemas."""

from collections.abc import Iterator
from itertools import groupby
from typing import NamedTuple

from runbook.model.fact import Fact
from runbook.safety.sanitize import sanitize
from schema_compat import Parsed, SchemaError, parse

COLUMNS = ("subject", "version", "type", "schema", "references")
"""What is needed of schema_version."""

_DEEPEST = 1000  # references in all; a schema that needs more is not read


class Version(NamedTuple):
    """One version of a subject."""

    subject: str
    version: int
    type: str
    schema: str
    references: dict[str, str]


class Versions:
    """Every version of a registry, and what is read of each."""

    def __init__(self, fact: Fact) -> None:
        """Take them from schema_version."""
        self._all = sorted((Version(**row) for row in fact.rows(*COLUMNS)), key=lambda one: (one.subject, one.version))
        self._at = {f"{version.subject}/{version.version}": version for version in self._all}
        self._read: dict[tuple[str, int], Parsed | SchemaError] = {}

    def by_subject(self) -> Iterator[tuple[str, list[Version]]]:
        """Each subject with its versions, the oldest first."""
        for subject, versions in groupby(self._all, lambda one: one.subject):
            yield subject, list(versions)
            self._read.clear()  # what was read of fifty thousand versions would fill the memory

    def parsed(self, one: Version) -> Parsed:
        """Read a version.

        Raises:
            SchemaError: its text is no schema, or what it refers to is not there.
        """
        key = (one.subject, one.version)
        if key not in self._read:
            try:
                self._read[key] = parse(one.type, one.schema, self._referred(one))
            except SchemaError as error:
                self._read[key] = error
        found = self._read[key]
        if isinstance(found, SchemaError):
            raise SchemaError(sanitize(str(found)))  # it may hold what stands in a schema of others
        return found

    def _referred(self, one: Version) -> dict[str, tuple[str, str]]:
        """All that a schema refers to, and what those do."""
        found: dict[str, tuple[str, str]] = {}
        waiting = [one]
        while waiting:
            here = waiting.pop()
            for name, where in here.references.items():
                other = self._at.get(where)
                if other is None:
                    raise SchemaError(f"{name} is {where}, which the registry does not have")
                if name not in found:
                    found[name] = (other.type, other.schema)
                    waiting.append(other)
            if len(found) > _DEEPEST:
                raise SchemaError(f"it refers to more than {_DEEPEST} schemas")
        return found

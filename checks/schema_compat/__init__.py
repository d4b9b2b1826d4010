"""Schemas of records as registries keep them: Avro, JSON Schema and Protobuf, and whether one reads what another wrote.

Pure: text in, records out. The libraries are the extra `schemas`; each is loaded when a schema of its kind is read.
"""

from schema_compat.judging import clashes, incompatibilities, parse, unreserved
from schema_compat.parsed import KINDS, Clash, Field, Parsed, References, SchemaError, UndecidedSchema

__all__ = [
    "KINDS",
    "Clash",
    "Field",
    "Parsed",
    "References",
    "SchemaError",
    "UndecidedSchema",
    "clashes",
    "incompatibilities",
    "parse",
    "unreserved",
]

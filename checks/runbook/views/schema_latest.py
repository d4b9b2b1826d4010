"""What the newest version of each subject says: its fields, what is documented, what will bite later."""

from typing import Any

from runbook.engine.column import Column
from runbook.engine.fact import Fact, Observed
from runbook.engine.view import View
from runbook.formats.schemas import Parsed, SchemaError
from runbook.views._schemas import COLUMNS, Version, Versions

VIEW = View(
    help="One row per subject: its newest version, read.",
    columns=(
        Column("subject", "string", "The subject.", key=True, entity="subject"),
        Column("version", "int", "Number of its newest version."),
        Column("type", "string", "AVRO, JSON or PROTOBUF."),
        Column("error", "string", "Why it can't be read as a schema of its type; empty if it can."),
        Column("record", "string", "Full name of its record or message, or its title; unknown if it can't be read."),
        Column("documented", "bool", "Whether the record itself has a comment."),
        Column("fields", "map[string]", "Type of each field, by its path, as in headers.timestamp."),
        Column("logical_types", "map[string]", "Avro's logicalType or JSON Schema's format, of the fields with one."),
        Column("undocumented", "list[string]", "Fields without a comment."),
        Column("required", "list[string]", "Fields that a reader can't do without: no default, or listed as required."),
        Column("nulls_without_default", "list[string]", "Avro fields that may be null and are not by default."),
        Column("problems", "list[string]", "What is allowed and bites later, such as an enum without a default."),
    ),
    of=(COLUMNS,),
    needs=(("references", "schema", "type"),),
    version=2,
)


def compute(version: Fact, /) -> Observed:
    """Work it out from schema_version."""
    versions = Versions(version)
    return Observed(rows=[_row(versions, history[-1]) for _, history in versions.by_subject()])


def _row(versions: Versions, latest: Version) -> tuple[Any, ...]:
    whose = (latest.subject, latest.version, latest.type)
    try:
        return (*whose, "", *_told(versions.parsed(latest)))
    except SchemaError as error:
        return (*whose, str(error), *[None] * 8)


def _told(schema: Parsed) -> tuple[Any, ...]:
    fields = schema.fields()
    return (
        schema.name,
        schema.documented,
        {one.path: one.type for one in fields},
        {one.path: one.logical_type for one in fields if one.logical_type},
        [one.path for one in fields if not one.documented],
        [one.path for one in fields if not one.optional],
        [one.path for one in fields if one.null_default is False],
        schema.problems(),
    )

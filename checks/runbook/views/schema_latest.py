"""What the newest version of each subject says: its fields, what is documented, what will bite later."""

from typing import Annotated

from runbook.model.fact import Fact, Observed
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View
from runbook.views._schemas import COLUMNS, Version, Versions
from schema_compat import SchemaError


class SchemaLatest(Row):
    """A subject."""

    subject: Annotated[str, Cell("The subject.", key=True, entity="subject")]
    version: Annotated[int, Cell("Number of its newest version.")]
    type: Annotated[str, Cell("AVRO, JSON or PROTOBUF.")]
    error: Annotated[str, Cell("Why it can't be read as a schema of its type; empty if it can.")]
    record: Annotated[
        str | None, Cell("Full name of its record or message, or its title; unknown if it can't be read.")
    ]
    documented: Annotated[bool | None, Cell("Whether the record itself has a comment.")]
    fields: Annotated[dict[str, str] | None, Cell("Type of each field, by its path, as in headers.timestamp.")]
    logical_types: Annotated[
        dict[str, str] | None, Cell("Avro's logicalType or JSON Schema's format, of the fields with one.")
    ]
    undocumented: Annotated[list[str] | None, Cell("Fields without a comment.")]
    required: Annotated[
        list[str] | None, Cell("Fields that a reader can't do without: no default, or listed as required.")
    ]
    nulls_without_default: Annotated[list[str] | None, Cell("Avro fields that may be null and are not by default.")]
    problems: Annotated[list[str] | None, Cell("What is allowed and bites later, such as an enum without a default.")]


VIEW = View(
    help="One row per subject: its newest version, read.",
    row=SchemaLatest,
    inputs={
        "version": Input("schema_version", columns=COLUMNS, needs=("references", "schema", "type")),
    },
    version=2,
)


def compute(*, version: Fact) -> Observed:
    """Work it out from schema_version."""
    versions = Versions(version)
    return Observed(rows=[_row(versions, history[-1]) for _, history in versions.by_subject()])


def _row(versions: Versions, latest: Version) -> SchemaLatest:
    try:
        schema = versions.parsed(latest)
        fields = schema.fields()
        return SchemaLatest(
            subject=latest.subject,
            version=latest.version,
            type=latest.type,
            error="",
            record=schema.name,
            documented=schema.documented,
            fields={field.path: field.type for field in fields},
            logical_types={field.path: field.logical_type for field in fields if field.logical_type},
            undocumented=[field.path for field in fields if not field.documented],
            required=[field.path for field in fields if not field.optional],
            nulls_without_default=[field.path for field in fields if field.null_default is False],
            problems=schema.problems(),
        )
    except SchemaError as error:
        return SchemaLatest(
            subject=latest.subject,
            version=latest.version,
            type=latest.type,
            error=str(error),
            record=None,
            documented=None,
            fields=None,
            logical_types=None,
            undocumented=None,
            required=None,
            nulls_without_default=None,
            problems=None,
        )

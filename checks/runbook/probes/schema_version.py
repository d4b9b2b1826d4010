"""Every version of every subject of a Schema Registry."""

from typing import TYPE_CHECKING, Annotated

from runbook.answers.schema_registry import reads
from runbook.model.fact import Observed, distinct
from runbook.model.parameter import Parameter
from runbook.model.probe import Probe
from runbook.model.row import Cell, Row

if TYPE_CHECKING:
    from runbook.connections.schema_registry import Registry


class SchemaVersion(Row):
    """A version of a subject."""

    subject: Annotated[
        str,
        Cell("The subject, with its context unless that is the default.", key=True, entity="subject"),
    ]
    version: Annotated[int, Cell("Number of the version.", key=True)]
    id: Annotated[int, Cell("The schema's id, which records carry.")]
    type: Annotated[str, Cell("AVRO, JSON or PROTOBUF.")]
    schema: Annotated[str, Cell("Its text.")]
    size: Annotated[int, Cell("Length of that text.", unit="characters")]
    references: Annotated[
        dict[str, str],
        Cell("Schemas it builds on: name in the text -> subject and version, as a/1."),
    ]
    deleted: Annotated[bool, Cell("Whether it is deleted, but can be had back: records with its id can still be read.")]


PROBE = Probe(
    connections=("schema_registry",),
    help="One row per version of a subject, with its schema.",
    row=SchemaVersion,
    requests=(*reads.INSTANCE, reads.SUBJECTS, reads.SCHEMAS, reads.VERSIONS, reads.SCHEMA, *reads.WITH_DELETED),
    rights=("Schema Registry: to list subjects and to read their versions",),
    parameters={
        "deleted": Parameter(
            type="bool", default=False, help="tell of versions too that are deleted but can be had back"
        ),
    },
)


def observe(registry: "Registry", *, deleted: bool = False) -> Observed:
    """Observe the whole history."""
    schemas, gaps = registry.schemas()
    gone, lacking = registry.deleted_schemas() if deleted else ([], [])
    rows = [
        SchemaVersion(
            subject=schema.subject,
            version=schema.version,
            id=schema.id,
            type=schema.schemaType,
            schema=schema.schema,
            size=len(schema.schema),
            references={each.name: f"{each.subject}/{each.version}" for each in schema.references},
            deleted=is_gone,
        )
        for group, is_gone in ((schemas, False), (gone, True))
        for schema in group
    ]
    return Observed(rows=rows, gaps=distinct([*gaps, *lacking]))

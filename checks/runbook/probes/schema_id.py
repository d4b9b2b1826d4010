"""Which ids of schemas a Schema Registry knows, without the schemas: those of deleted versions too."""

from typing import TYPE_CHECKING, Annotated

from runbook.answers.schema_registry import reads
from runbook.model.fact import Observed, distinct
from runbook.model.probe import Probe
from runbook.model.row import Cell, Row

if TYPE_CHECKING:
    from runbook.connections.schema_registry import Registry


class SchemaId(Row):
    """An id of a schema, and a version that has it."""

    subject: Annotated[
        str,
        Cell("The subject, with its context unless that is the default.", key=True, entity="subject"),
    ]
    version: Annotated[int, Cell("Number of the version.", key=True)]
    id: Annotated[int, Cell("The schema's id, which records carry.")]
    deleted: Annotated[bool, Cell("Whether it is deleted: records with its id can still be read.")]


PROBE = Probe(
    connections=("schema_registry",),
    help="One row per version of a subject, those among them that are deleted but can be had back.",
    row=SchemaId,
    requests=(*reads.INSTANCE, reads.SUBJECTS, reads.SCHEMAS, reads.VERSIONS, reads.SCHEMA, *reads.WITH_DELETED),
    rights=("Schema Registry: to list subjects and to read their versions, deleted ones too",),
)


def observe(registry: "Registry") -> Observed:
    """Observe every id."""
    schemas, gaps = registry.schemas()
    gone, lacking = registry.deleted_schemas()
    rows = [SchemaId(subject=schema.subject, version=schema.version, id=schema.id, deleted=False) for schema in schemas]
    rows += [SchemaId(subject=schema.subject, version=schema.version, id=schema.id, deleted=True) for schema in gone]
    return Observed(rows=rows, gaps=distinct([*gaps, *lacking]))

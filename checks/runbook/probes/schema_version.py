"""Every version of every subject of a Schema Registry."""

from runbook.connections.schema_registry import Registry, reads
from runbook.engine.column import Column
from runbook.engine.fact import Observed, distinct
from runbook.engine.parameter import Parameter
from runbook.engine.probe import Probe

PROBE = Probe(
    connections=("schema_registry",),
    help="One row per version of a subject, with its schema.",
    columns=(
        Column(
            "subject", "string", "The subject, with its context unless that is the default.", key=True, entity="subject"
        ),
        Column("version", "int", "Number of the version.", key=True),
        Column("id", "int", "The schema's id, which records carry."),
        Column("type", "string", "AVRO, JSON or PROTOBUF."),
        Column("schema", "string", "Its text."),
        Column("size", "int", "Length of that text.", unit="characters"),
        Column("references", "map[string]", "Schemas it builds on: name in the text -> subject and version, as a/1."),
        Column("deleted", "bool", "Whether it is deleted, but can be had back: records with its id can still be read."),
    ),
    requests=(*reads.INSTANCE, reads.SUBJECTS, reads.SCHEMAS, reads.VERSIONS, reads.SCHEMA, *reads.WITH_DELETED),
    rights=("Schema Registry: to list subjects and to read their versions",),
    parameters={
        "deleted": Parameter(
            type="bool", default=False, help="tell of versions too that are deleted but can be had back"
        ),
    },
)


def observe(registry: Registry, *, deleted: bool = False) -> Observed:
    """Observe the whole history."""
    schemas, gaps = registry.schemas()
    gone, lacking = registry.deleted_schemas() if deleted else ([], [])
    rows = [
        (
            one.subject,
            one.version,
            one.id,
            one.schemaType,
            one.schema,
            len(one.schema),
            {each.name: f"{each.subject}/{each.version}" for each in one.references},
            is_gone,
        )
        for group, is_gone in ((schemas, False), (gone, True))
        for one in group
    ]
    return Observed(rows=rows, gaps=distinct([*gaps, *lacking]))

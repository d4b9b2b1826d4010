"""Which ids of schemas a Schema Registry knows, without the schemas: those of deleted versions too."""

from runbook.connections.schema_registry import Registry, reads
from runbook.engine.column import Column
from runbook.engine.fact import Observed, distinct
from runbook.engine.probe import Probe

PROBE = Probe(
    connections=("schema_registry",),
    help="One row per version of a subject, those among them that are deleted but can be had back.",
    columns=(
        Column(
            "subject", "string", "The subject, with its context unless that is the default.", key=True, entity="subject"
        ),
        Column("version", "int", "Number of the version.", key=True),
        Column("id", "int", "The schema's id, which records carry."),
        Column("deleted", "bool", "Whether it is deleted: records with its id can still be read."),
    ),
    requests=(*reads.INSTANCE, reads.SUBJECTS, reads.SCHEMAS, reads.VERSIONS, reads.SCHEMA, *reads.WITH_DELETED),
    rights=("Schema Registry: to list subjects and to read their versions, deleted ones too",),
)


def observe(registry: Registry) -> Observed:
    """Observe every id."""
    schemas, gaps = registry.schemas()
    gone, lacking = registry.deleted_schemas()
    rows = [(one.subject, one.version, one.id, False) for one in schemas]
    rows += [(one.subject, one.version, one.id, True) for one in gone]
    return Observed(rows=rows, gaps=distinct([*gaps, *lacking]))

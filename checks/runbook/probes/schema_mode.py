"""In which mode subjects of a Schema Registry are."""

from runbook.connections.schema_registry import Registry, reads
from runbook.engine.column import Column
from runbook.engine.fact import Observed
from runbook.engine.probe import Probe

PROBE = Probe(
    connections=("schema_registry",),
    help="One row per subject: whether it takes new versions, and how.",
    columns=(
        Column(
            "subject", "string", "The subject, with its context unless that is the default.", key=True, entity="subject"
        ),
        Column("mode", "string", "In force, its own or the registry's: READWRITE, READONLY, IMPORT, …"),
    ),
    requests=(*reads.INSTANCE, reads.SUBJECTS, reads.SUBJECT_MODE),
    rights=("Schema Registry: to list subjects and to read their modes",),
)


def observe(registry: Registry) -> Observed:
    """Observe the mode of each."""
    modes, gaps = registry.modes()
    return Observed(rows=sorted(modes.items()), gaps=gaps)

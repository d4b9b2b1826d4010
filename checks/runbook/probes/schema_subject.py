"""Subjects of a Schema Registry and the compatibility in force for each."""

from runbook.connections.schema_registry import Registry, reads
from runbook.engine.column import Column
from runbook.engine.fact import Observed
from runbook.engine.probe import Probe
from runbook.formats.subjects import context_of, name_in_context

PROBE = Probe(
    connections=("schema_registry",),
    help="One row per subject, also those that are deleted but can be had back.",
    columns=(
        Column(
            "subject", "string", "Its name, with its context unless that is the default.", key=True, entity="subject"
        ),
        Column("context", "string", "The context it is in, empty for the default one."),
        Column("name", "string", "Its name without the context."),
        Column("deleted", "bool", "Whether it was deleted, but not for good."),
        Column("compatibility", "string", "Level in force, its own or the registry's; empty if deleted."),
    ),
    requests=(*reads.INSTANCE, reads.SUBJECTS, reads.ALL_SUBJECTS, reads.SUBJECT_CONFIG),
    rights=("Schema Registry: to list subjects and to read their configuration",),
)


def observe(registry: Registry) -> Observed:
    """Observe subjects; without an answer for one, its level is unknown."""
    levels, gaps = registry.levels()
    live = [(one, context_of(one), name_in_context(one), False, levels.get(one)) for one in registry.subjects()]
    gone = [(one, context_of(one), name_in_context(one), True, "") for one in registry.deleted_subjects()]
    return Observed(rows=sorted([*live, *gone]), gaps=gaps)

"""Subjects of a Schema Registry and the compatibility in force for each."""

from typing import TYPE_CHECKING, Annotated

from runbook.answers.schema_registry import reads
from runbook.formats.subjects import context_of, name_in_context
from runbook.model.fact import Observed
from runbook.model.probe import Probe
from runbook.model.row import Cell, Row

if TYPE_CHECKING:
    from runbook.connections.schema_registry import Registry


class SchemaSubject(Row):
    """A subject."""

    subject: Annotated[str, Cell("Its name, with its context unless that is the default.", key=True, entity="subject")]
    context: Annotated[str, Cell("The context it is in, empty for the default one.")]
    name: Annotated[str, Cell("Its name without the context.")]
    deleted: Annotated[bool, Cell("Whether it was deleted, but not for good.")]
    compatibility: Annotated[str | None, Cell("Level in force, its own or the registry's; empty if deleted.")]


PROBE = Probe(
    connections=("schema_registry",),
    help="One row per subject, also those that are deleted but can be had back.",
    row=SchemaSubject,
    requests=(*reads.INSTANCE, reads.SUBJECTS, reads.ALL_SUBJECTS, reads.SUBJECT_CONFIG),
    rights=("Schema Registry: to list subjects and to read their configuration",),
)


def observe(registry: "Registry") -> Observed:
    """Observe subjects; without an answer for one, its level is unknown."""
    levels, gaps = registry.levels()
    live = [
        SchemaSubject(
            subject=subject,
            context=context_of(subject),
            name=name_in_context(subject),
            deleted=False,
            compatibility=levels.get(subject),
        )
        for subject in registry.subjects()
    ]
    gone = [
        SchemaSubject(
            subject=subject, context=context_of(subject), name=name_in_context(subject), deleted=True, compatibility=""
        )
        for subject in registry.deleted_subjects()
    ]
    return Observed(rows=sorted([*live, *gone], key=lambda row: (row.subject, row.deleted)), gaps=gaps)

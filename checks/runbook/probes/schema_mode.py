"""In which mode subjects of a Schema Registry are."""

from typing import TYPE_CHECKING, Annotated

from runbook.answers.schema_registry import reads
from runbook.model.fact import Observed
from runbook.model.probe import Probe
from runbook.model.row import Cell, Row

if TYPE_CHECKING:
    from runbook.connections.schema_registry import Registry


class SchemaMode(Row):
    """The mode of the registry, or of a subject with its own."""

    subject: Annotated[
        str, Cell("The subject, with its context unless that is the default.", key=True, entity="subject")
    ]
    mode: Annotated[str, Cell("In force, its own or the registry's: READWRITE, READONLY, IMPORT, …")]


PROBE = Probe(
    connections=("schema_registry",),
    help="One row per subject: whether it takes new versions, and how.",
    row=SchemaMode,
    requests=(*reads.INSTANCE, reads.SUBJECTS, reads.SUBJECT_MODE),
    rights=("Schema Registry: to list subjects and to read their modes",),
)


def observe(registry: "Registry") -> Observed:
    """Observe the mode of each."""
    modes, gaps = registry.modes()
    rows = [SchemaMode(subject=subject, mode=mode) for subject, mode in sorted(modes.items())]
    return Observed(rows=rows, gaps=gaps)

"""Schemas in files that are to be registered: what the registry says of each, without storing it."""

from typing import TYPE_CHECKING, Annotated

from runbook.answers.schema_registry import reads
from runbook.model.errors import CannotLook
from runbook.model.fact import Gap, Observed
from runbook.model.probe import Probe
from runbook.model.row import Cell, Row

if TYPE_CHECKING:
    from runbook.connections.schema_registry import Registry


class SchemaProposal(Row):
    """A schema that the inventory proposes."""

    subject: Annotated[str, Cell("The subject for which it is meant.", key=True, entity="subject")]
    path: Annotated[str, Cell("Its file, as the inventory has it.", key=True)]
    type: Annotated[str, Cell("AVRO, JSON or PROTOBUF.")]
    new: Annotated[bool, Cell("Whether the registry has no such subject yet.")]
    compatible: Annotated[bool | None, Cell("Whether it would do as the next version; unknown if there is none yet.")]
    messages: Annotated[list[str], Cell("Why not, in the registry's words.")]


PROBE = Probe(
    connections=("schema_registry",),
    help="One row per schema that the inventory proposes.",
    row=SchemaProposal,
    requests=(*reads.INSTANCE, reads.SUBJECTS, reads.TRY),
    rights=("Schema Registry: to list subjects and to try schemas", "read the files"),
)


def observe(registry: "Registry") -> Observed:
    """Try each proposal."""
    rows = []
    gaps = []
    trials = registry.trials()
    for proposal, trial in trials:
        if isinstance(trial, CannotLook):
            said = f"the schema proposed for {proposal.subject}: {trial}"
            gaps.append(Gap.of(trial, {"subject": proposal.subject}, said))
            continue
        rows.append(
            SchemaProposal(
                subject=proposal.subject,
                path=proposal.path,
                type=proposal.type,
                new=trial is None,
                compatible=None if trial is None else trial.is_compatible,
                messages=[] if trial is None else trial.messages,
            )
        )
    inapplicable = "" if trials else "the inventory proposes no schema: `proposals` of schema_registry"
    return Observed(rows=rows, gaps=gaps, inapplicable=inapplicable)

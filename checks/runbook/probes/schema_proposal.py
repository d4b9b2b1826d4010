"""Schemas in files that are to be registered: what the registry says of each, without storing it."""

from typing import Any

from runbook.connections.schema_registry import Registry, reads
from runbook.engine.column import Column
from runbook.engine.errors import CannotLook
from runbook.engine.fact import Gap, Observed
from runbook.engine.probe import Probe

PROBE = Probe(
    connections=("schema_registry",),
    help="One row per schema that the inventory proposes.",
    columns=(
        Column("subject", "string", "The subject for which it is meant.", key=True, entity="subject"),
        Column("path", "string", "Its file, as the inventory has it.", key=True),
        Column("type", "string", "AVRO, JSON or PROTOBUF."),
        Column("new", "bool", "Whether the registry has no such subject yet."),
        Column("compatible", "bool", "Whether it would do as the next version; unknown if there is none yet."),
        Column("messages", "list[string]", "Why not, in the registry's words."),
    ),
    requests=(*reads.INSTANCE, reads.SUBJECTS, reads.TRY),
    rights=("Schema Registry: to list subjects and to try schemas", "read the files"),
)


def observe(registry: Registry) -> Observed:
    """Try each proposal."""
    rows: list[tuple[Any, ...]] = []
    gaps = []
    told = registry.trials()
    for proposal, trial in told:
        whose = (proposal.subject, proposal.path, proposal.type)
        if isinstance(trial, CannotLook):
            gaps.append(Gap(f"the schema proposed for {proposal.subject}: {trial}", {"subject": proposal.subject}))
        elif trial is None:
            rows.append((*whose, True, None, []))
        else:
            rows.append((*whose, False, trial.is_compatible, trial.messages))
    inapplicable = "" if told else "the inventory proposes no schema: `proposals` of schema_registry"
    return Observed(rows=rows, gaps=gaps, inapplicable=inapplicable)

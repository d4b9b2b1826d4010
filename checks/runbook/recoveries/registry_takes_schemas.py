"""The Schema Registry as a whole takes new schemas."""

from runbook.recoveries._registries import set_to

RECOVERY = set_to(
    "READWRITE",
    column="mode",
    of_subjects="schema_mode",
    help_="The Schema Registry as a whole takes new schemas.",
    source="Confluent documentation, Schema Registry API reference: mode of the registry and of a subject",
)

"""Instances of a Schema Registry, and what holds for all of it."""

from runbook.connections.schema_registry import Registry
from runbook.connections.schema_registry.reads import INSTANCE
from runbook.engine.column import Column
from runbook.engine.fact import Observed
from runbook.engine.probe import Probe

PROBE = Probe(
    connections=("schema_registry",),
    help="One row per instance of the Schema Registry that the inventory names.",
    columns=(
        Column("instance", "string", "Its address, as the inventory has it.", key=True, entity="endpoint"),
        Column("answers", "bool", "Whether it answers; false is told only where another one does."),
        Column("silence", "string", "Why it does not answer; empty if it does."),
        Column("compatibility", "string", "Level where a subject has none of its own: BACKWARD, FULL_TRANSITIVE, …"),
        Column("mode", "string", "READWRITE, READONLY, READONLY_OVERRIDE, IMPORT or FORWARD; unknown if not told."),
        Column("types", "list[string]", "Types of schemas that it takes: AVRO, JSON, PROTOBUF; unknown if not told."),
        Column("version", "string", "Version of its software; unknown if not told."),
    ),
    requests=INSTANCE,
    rights=("Schema Registry: to read the global configuration and mode",),
)


def observe(registry: Registry) -> Observed:
    """Observe the instances."""
    return Observed(
        rows=[
            (one.address, not one.silence, one.silence, one.level, one.mode, one.types, one.version)
            for one in registry.instances()
        ]
    )

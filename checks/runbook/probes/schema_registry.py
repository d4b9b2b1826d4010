"""Instances of a Schema Registry, and what holds for all of it."""

from typing import TYPE_CHECKING, Annotated

from runbook.answers.schema_registry.reads import INSTANCE
from runbook.formats.declared import at
from runbook.model.fact import Observed
from runbook.model.probe import Probe
from runbook.model.row import Cell, Row, row_of

if TYPE_CHECKING:
    from runbook.connections.schema_registry import Registry


class SchemaRegistry(Row):
    """An instance of the registry."""

    instance: Annotated[str, Cell("Its address, as the inventory has it.", key=True, entity="endpoint")] = at("address")
    answers: Annotated[bool, Cell("Whether it answers; false only where another one does.")]
    silence: Annotated[str, Cell("Why it does not answer; empty if it does.")] = at("silence")
    compatibility: Annotated[
        str | None, Cell("Level where a subject has none of its own: BACKWARD, FULL_TRANSITIVE, …")
    ] = at("level")
    mode: Annotated[
        str | None, Cell("READWRITE, READONLY, READONLY_OVERRIDE, IMPORT or FORWARD; unknown if not reported.")
    ] = at("mode")
    types: Annotated[
        list[str] | None,
        Cell("Types of schemas that it takes: AVRO, JSON, PROTOBUF; unknown if not reported."),
    ] = at("types")
    version: Annotated[str | None, Cell("Version of its software; unknown if not reported.")] = at("version")


PROBE = Probe(
    connections=("schema_registry",),
    help="One row per instance of the Schema Registry that the inventory names.",
    row=SchemaRegistry,
    requests=INSTANCE,
    rights=("Schema Registry: to read the global configuration and mode",),
)


def observe(registry: "Registry") -> Observed:
    """Observe the instances."""
    instances = registry.instances()
    return Observed(rows=[row_of(SchemaRegistry, one, answers=not one.silence) for one in instances])

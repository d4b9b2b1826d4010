"""A probe with a column of every type, for facts that tests write down."""

from typing import Any

from runbook.engine.column import Column
from runbook.engine.fact import Observed
from runbook.engine.parameter import Parameter
from runbook.engine.probe import Probe

PROBE = Probe(
    connections=("fake",),
    help="One row per name.",
    columns=(
        Column("name", "string", "Name.", key=True, entity="topic"),
        Column("broker", "int", "The broker it is on; -1 for none.", entity="broker"),
        Column("size", "int", "A number.", unit="bytes"),
        Column("ratio", "float", "A fraction."),
        Column("ok", "bool", "A truth value."),
        Column("at", "timestamp", "A time."),
        Column("tags", "list[string]", "Some words."),
        Column("numbers", "list[int]", "Some brokers.", entity="broker"),
        Column("settings", "map[string]", "Some settings."),
    ),
    requests=("Nothing",),
    rights=("None",),
    parameters={
        "text": Parameter(type="string", help="any text"),
        "least": Parameter(type="int", default=0, min=0, max=9, help="any number"),
    },
)


def observe(_: Any, **given: Any) -> Observed:
    """Give one plain row."""
    return Observed([("a", 1, given.get("least", 0), 0.5, True, "2026-01-01T00:00:00Z", ["x"], [1], {"k": "v"})])

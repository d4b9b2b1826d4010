"""Pauses of garbage collection: a probe that a user might add, keyed by the same entity as the brokers' settings."""

from typing import Any

from runbook.engine.column import Column
from runbook.engine.fact import Observed
from runbook.engine.parameter import Parameter
from runbook.engine.probe import Probe

PROBE = Probe(
    connections=("fake",),
    help="One row per broker.",
    columns=(
        Column("broker", "int", "Node id.", key=True, entity="broker"),
        Column("longest", "int", "Longest pause in the window.", unit="ms"),
        Column("count", "int", "Pauses in the window."),
    ),
    requests=("HTTP GET /jolokia",),
    rights=("read",),
    parameters={"window": Parameter(type="string", default="1h", help="how far to look back")},
)


def observe(fake: Any, *, window: str = "1h") -> Observed:
    """Give what the connection's settings hold."""
    return Observed([(1, int(fake.settings.get("pause", 0)), len(window))])

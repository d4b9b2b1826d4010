"""A probe that gives hostile names as cells, keys, gaps and errors."""

from typing import Any

from runbook.engine.column import Column
from runbook.engine.errors import Denied
from runbook.engine.fact import Gap, Observed
from runbook.engine.parameter import Parameter
from runbook.engine.probe import Probe
from support.hostile_values import HUGE, VALUES

PROBE = Probe(
    connections=("hostile",),
    help="One row per value.",
    columns=(
        Column("name", "string", "It.", key=True, entity="topic"),
        Column("words", "list[string]", "A list with it."),
        Column("settings", "map[string]", "A configuration with it."),
    ),
    requests=("Nothing",),
    rights=("None",),
    parameters={"how": Parameter(type="string", default="rows", help="rows, gaps, deny, inapplicable or huge")},
)


def observe(_: Any, how: str = "rows") -> Observed:
    """Observe in the manner asked for."""
    if how == "deny":
        raise Denied("it said: " + "".join(VALUES))
    if how == "gaps":
        return Observed([], [Gap(f"no answer from {value}", {"host": value}) for value in VALUES])
    if how == "inapplicable":
        return Observed(inapplicable="it says " + "".join(VALUES))
    if how == "huge":
        return Observed([(HUGE, [], {})])
    return Observed([(value, [value], {value: value}) for value in VALUES])

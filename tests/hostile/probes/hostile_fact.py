"""A probe that gives hostile names as cells, keys, gaps and errors."""

from typing import Annotated, Any

from runbook.model.errors import Denied
from runbook.model.fact import Gap, Observed
from runbook.model.parameter import Parameter
from runbook.model.probe import Probe
from runbook.model.row import Cell, Row
from support.hostile_values import HUGE, VALUES


class HostileFact(Row):
    """What it gives."""

    name: Annotated[str, Cell("It.", key=True, entity="topic")]
    words: Annotated[list[str], Cell("A list with it.")]
    settings: Annotated[dict[str, str], Cell("A configuration with it.")]


PROBE = Probe(
    connections=("hostile",),
    help="One row per value.",
    row=HostileFact,
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
        return Observed([HostileFact(name=HUGE, words=[], settings={})])
    return Observed([HostileFact(name=value, words=[value], settings={value: value}) for value in VALUES])

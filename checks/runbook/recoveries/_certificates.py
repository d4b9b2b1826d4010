"""What recoveries of certificates have in common: which rows they are about, and what a bad one hides.

A client that checks certificates does not speak with an endpoint that shows a bad one. Ours checks, too: what lies
behind is then told by a gap that names the endpoint.
"""

from collections.abc import Mapping

from runbook.model.fact import Fact, Gap
from runbook.model.gap_kind import GapKind
from runbook.model.recovery import Change, Recovery, Situation, withhold_where
from runbook.recoveries._rows import all_but, chosen


def shown_by(fact: Fact, situation: Situation) -> list[bool]:
    """Of each row of tls_certificate or tls_endpoint whether it is of these endpoints, and the first of a chain."""
    mine = chosen(fact, ["endpoint"], lambda endpoint: endpoint in situation.given["endpoints"])
    first = [at == 0 for at in fact.columns["position"]] if "position" in fact.columns else mine
    return [is_mine and chosen for is_mine, chosen in zip(mine, first, strict=True)]


def hides(gap: Gap, situation: Situation) -> bool:
    """Whether an endpoint could not be spoken with over TLS."""
    return gap.kind is GapKind.NO_TLS and gap.at in situation.given["endpoints"]


def recovery(sets: Mapping[str, Change], help_: str, *sources: str) -> Recovery:
    """A recovery of what these endpoints show; who was behind them answers then, with what was never seen."""

    def and_withheld(change: Change) -> Change:
        return lambda fact, situation: withhold_where(change(fact, situation), lambda gap: hides(gap, situation))

    return Recovery(
        help=help_,
        takes=("endpoints",),
        sets={probe: and_withheld(change) for probe, change in sets.items()},
        leaves=all_but(sets),
        entity="",
        of="",
        sources=sources,
        hides=hides,
    )

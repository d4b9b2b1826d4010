"""How a score comes about: the weights, and what they add up to."""

from msgspec import Struct

from runbook.model.block import SEVERITIES
from runbook.model.scorecard import ALL
from runbook.publish.scorecard import Scorecard


class SeverityShare(Struct, frozen=True):
    """What the checks of one severity add to a score.

    Attributes:
        severity: of all of them.
        weight: of each of them.
        applies: how many count.
        complies: how many of these comply, those under a waiver too.
        passes: how many of these pass.
    """

    severity: str
    weight: int
    applies: int
    complies: int
    passes: int


class Sums(Struct, frozen=True):
    """A score as a sum: `complies` of `applies`, both weighed; `passes` is `complies` without the waived."""

    parts: list[SeverityShare]
    applies: int
    complies: int
    passes: int


def sums(card: Scorecard, environment: str, runbook: str) -> Sums:
    """Add up the weights of a score of the last week; `*` adds up every runbook."""
    runbooks = card.runbooks if runbook == ALL else [runbook]
    parts = [
        _part(card, environment, runbooks, severity)
        for severity in reversed(SEVERITIES)
        if severity in card.method.weights
    ]
    parts = [part for part in parts if part.applies]
    return Sums(
        parts,
        sum(part.weight * part.applies for part in parts),
        sum(part.weight * part.complies for part in parts),
        sum(part.weight * part.passes for part in parts),
    )


def _part(card: Scorecard, environment: str, runbooks: list[str], severity: str) -> SeverityShare:
    found = (card.cell(environment, runbook, severity) for runbook in runbooks)
    scores = [score for score in found if score]
    return SeverityShare(
        severity,
        card.method.weights[severity],
        sum(score.applies for score in scores),
        sum(score.complies for score in scores),
        sum(score.passed for score in scores),
    )

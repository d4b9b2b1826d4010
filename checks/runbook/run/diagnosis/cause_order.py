"""The order in which causes are told: acute ones before standing conditions, the gravest first."""

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet

from runbook.model.block import SEVERITIES
from runbook.model.consequence import is_standing
from runbook.model.diagnosis import CauseFound, Diagnosis
from runbook.model.result import Outcome, Result


def order_causes(
    diagnosis: Diagnosis, found: Iterable[CauseFound], results: Sequence[Result], before: Mapping[str, Sequence[str]]
) -> None:
    """Say which causes are standing conditions, and put them behind the acute ones; of either the gravest first.

    Args:
        diagnosis: gets the causes in their order.
        found: causes that hold, or may.
        results: what they were judged by.
        before: cause → those whose first action is in vain while it holds; it comes before them.
    """
    consequences = {result.check: result.consequence for result in results}
    weight = {result.check: SEVERITIES.index(result.severity) for result in results}
    failing = {result.check for result in results if result.outcome is Outcome.FAIL}
    causes = [*found]
    for cause in causes:
        told = claims(cause) or cause.may_explain or cause.verify
        words = [consequences[check] for check in told if check in consequences]
        cause.standing = bool(words) and not cause.withholds and all(map(is_standing, words))
    # What can't be decided, or may be meant, is a cause only where something fails that it would, or may, explain.
    causes = [one for one in causes if claims(one) or (one.certain and _matters(one, failing))]
    diagnosis.causes = sorted(
        causes,
        key=lambda one: (
            not one.certain,
            one.standing,
            -max(map(weight.__getitem__, claims(one)), default=-1),
            -len(claims(one)),
        ),
    )
    for one in [each for each in diagnosis.causes if each.certain]:
        later = [place for place, other in enumerate(diagnosis.causes) if other.cause in before.get(one.cause, ())]
        place = diagnosis.causes.index(one)
        diagnosis.causes.insert(min([*later, place]), diagnosis.causes.pop(place))


def _matters(one: CauseFound, failing: AbstractSet[str]) -> bool:
    return not one.standing or bool(one.may_explain or failing & {*one.verify})


def claims(one: CauseFound) -> list[str]:
    """The failing checks that a cause explains, alone or with others."""
    return [*one.explains, *one.helps]

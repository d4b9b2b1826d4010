"""Where nothing of an environment could be looked at: that is the answer, with the reason and what to do first."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from runbook.judge.summary import counted
from runbook.model.diagnosis import LabelledSentence
from runbook.model.environment_option import environment_option
from runbook.model.reach import out_of_reach
from runbook.model.result import Outcome, Result
from runbook.run.fact_building import INTERRUPTED, NO_TURN, NOT_GIVEN

_DISASTER: Final = "runbook check dr"
_SEVERAL: Final = 2  # checks that lack the same; what one alone lacks is told with it. Our judgement


def unseen(results: Sequence[Result]) -> str:
    """Why nothing of an environment could be looked at; empty where anything was seen, or somebody ended the run."""
    unknown = [one for one in results if one.outcome is Outcome.UNKNOWN]
    if any(one.outcome in {Outcome.PASS, Outcome.FAIL} or one.judged > one.undecided for one in results):
        return ""
    reasons = _reasons([one for one in unknown if not any(fact.rows for fact in one.evidence)])
    # A connection that fails tells more than those that nobody gave.
    tried = Counter({reason: count for reason, count in reasons.items() if NOT_GIVEN not in reason})
    reason, count = next(iter((tried or reasons).most_common(1)), ("", 0))
    return reason if count >= _SEVERAL and INTERRUPTED not in reason else ""


def without_told(results: Sequence[Result]) -> list[Result]:
    """The results of a run but those that are counted where nothing of their environment could be looked at."""
    of: dict[str, list[Result]] = {}
    for result in results:
        of.setdefault(result.environment, []).append(result)
    told = {environment: unseen(of_one) for environment, of_one in of.items()}
    return [one for one in results if told[one.environment] not in {gap.reason for gap in one.gaps}]


class Standby(Struct, frozen=True):
    """An environment to which another is mirrored.

    Attributes:
        name: its name.
        silent: whether the run looked at it, and nothing of it answered.
    """

    name: str
    silent: bool = False


def standbys(names: Sequence[str], results: Sequence[Result]) -> list[Standby]:
    """The environments to which one is mirrored, with what the run saw of them."""
    return [Standby(name, out_of_reach(unseen([one for one in results if one.environment == name]))) for name in names]


def left_by(
    environment: str, results: Sequence[Result], reason: str, standbys: Sequence[Standby] = (), inventory: str = ""
) -> list[LabelledSentence]:
    """What that leaves unknown, and what to do; of a cluster that answers nobody, also where it is mirrored to.

    Whoever sees nothing of either is not offered to go to the other: it is likelier that the way from here is at fault.
    """
    unknown = sum(one.outcome is Outcome.UNKNOWN for one in results)
    dark = out_of_reach(reason)
    tries = f"runbook env {environment_option(environment, inventory)} tries each connection and says what to"
    # A cluster that answers nobody may be down: then there is nothing to write.
    tries = f"{_up(environment, standbys)} {tries} look at" if dark else f"{tries} write"
    return [
        LabelledSentence(
            "leaves", f"{counted(unknown, 'check')} unknown, {_reasons(results)[reason]:,} of them for that reason"
        ),
        LabelledSentence("first", "give it more time: --deadline 1m" if reason.endswith(NO_TURN) else tries),
        *(
            LabelledSentence(
                "standby",
                f"it is mirrored to {standby.name}; could that take over? "
                f"{_DISASTER} {environment_option(standby.name, inventory)}",
            )
            for standby in standbys
            if dark and not standby.silent
        ),
    ]


def _up(environment: str, standbys: Sequence[Standby]) -> str:
    """What to ask of a cluster that answers nobody: it may be down, or there is no way from here; then for both."""
    silent = [standby.name for standby in standbys if standby.silent]
    if not silent:
        return "is it up, and reached from here?"
    either = " nor ".join([environment, *silent])
    return f"neither {either} answers from here: look at your own network; do not fail over from here;"


def _reasons(results: Sequence[Result]) -> Counter[str]:
    return Counter(reason for one in results for reason in {gap.reason for gap in one.gaps})

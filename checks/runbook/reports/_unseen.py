"""Where nothing of an environment could be looked at: that is the answer, with the reason and what to do first."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from runbook.judge.summary import counted
from runbook.model.diagnosis import LabelledSentence
from runbook.model.environment_option import environment_option
from runbook.model.fact import SharedGap
from runbook.model.gap_kind import NO_ANSWER, GapKind
from runbook.model.result import Outcome, Result

_DISASTER: Final = "runbook check dr"
_SEVERAL: Final = 2  # checks that lack the same; what one alone lacks is told with it. Our judgement


def unseen(results: Sequence[Result]) -> SharedGap | None:
    """Why nothing of an environment could be looked at; None where anything was seen, or somebody ended the run."""
    unknown = [one for one in results if one.is_unknown]
    if any(one.outcome in {Outcome.PASS, Outcome.FAIL} or one.judged > one.undecided for one in results):
        return None
    if any(gap.place for one in unknown for gap in one.gaps):  # files were looked at: what to correct has its line
        return None
    reasons = _reasons([one for one in unknown if not any(fact.rows for fact in one.evidence)])
    # A connection that fails tells more than those that nobody gave.
    tried = Counter({lack: count for lack, count in reasons.items() if lack.kind is not GapKind.NOT_CONFIGURED})
    lack, count = next(iter((tried or reasons).most_common(1)), (None, 0))
    return lack if count >= _SEVERAL and lack is not None and lack.kind is not GapKind.INTERRUPTED else None


def without_told(results: Sequence[Result]) -> list[Result]:
    """The results of a run but those that are counted where nothing of their environment could be looked at."""
    of: dict[str, list[Result]] = {}
    for result in results:
        of.setdefault(result.environment, []).append(result)
    told = {environment: unseen(of_one) for environment, of_one in of.items()}
    return [one for one in results if told[one.environment] not in {gap.lack for gap in one.gaps}]


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
    lacks = {name: unseen([one for one in results if one.environment == name]) for name in names}
    return [Standby(name, lack is not None and lack.kind in NO_ANSWER) for name, lack in lacks.items()]


def left_by(
    environment: str, results: Sequence[Result], lack: SharedGap, standbys: Sequence[Standby] = (), inventory: str = ""
) -> list[LabelledSentence]:
    """What that leaves unknown, and what to do; of a cluster that answers nobody, also where it is mirrored to.

    Whoever sees nothing of either is not offered to go to the other: it is likelier that the way from here is at fault.
    """
    unknown = sum(one.is_unknown for one in results)
    dark = lack.kind in NO_ANSWER
    tries = f"runbook env {environment_option(environment, inventory)} tries each connection and says what to"
    # A cluster that answers nobody may be down: then there is nothing to write.
    tries = f"{_up(environment, lack.kind, standbys)} {tries} look at" if dark else f"{tries} write"
    return [
        LabelledSentence(
            "leaves", f"{counted(unknown, 'check')} unknown, {_reasons(results)[lack]:,} of them for that reason"
        ),
        LabelledSentence("first", "give it more time: --deadline 1m" if lack.kind is GapKind.NO_TURN else tries),
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


def _up(environment: str, kind: GapKind, standbys: Sequence[Standby]) -> str:
    """What to ask of a cluster that answers nobody: it may be down, or there is no way from here; then for both."""
    silent = [standby.name for standby in standbys if standby.silent]
    if not silent:
        # A limit on connections shows as silence, or as a connection that is closed unanswered.
        limited = kind in {GapKind.UNREACHABLE, GapKind.CLOSED, GapKind.TIMED_OUT}
        return f"is it up, and reached from here{', and do limits let us connect' if limited else ''}?"
    either = " nor ".join([environment, *silent])
    return f"neither {either} answers from here: look at your own network; do not fail over from here;"


def _reasons(results: Sequence[Result]) -> Counter[SharedGap]:
    return Counter(lack for one in results for lack in dict.fromkeys(gap.lack for gap in one.gaps))

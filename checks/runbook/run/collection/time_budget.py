"""What did not answer in its time, where the run itself had left it little: said with the reason."""

from typing import Final

from msgspec.structs import replace

from runbook.model.fact import Gap
from runbook.model.gap_kind import GapKind
from runbook.model.probe import Deadline

_IN_VAIN: Final = (GapKind.TIMED_OUT, GapKind.CONTROLLER_SILENT)
_USED: Final = 0.3  # of the run's time, gone before a system is asked: then it had less than its share. Our judgement


class TimeBudget:
    """How much of a run's time was left for one connection: what its worker can tell of it."""

    def __init__(self, clock: Deadline, whole: float) -> None:
        """Note what is left now.

        Args:
            clock: of the worker, which begins now.
            whole: seconds that the run has; 0 where nobody says.
        """
        self.clock = clock
        self.whole = whole
        self._used = whole - clock.left()

    def told(self, gap: Gap, left: float) -> Gap:
        """A gap, with what the run itself had to do with it; of a wait whose seconds are told, they tell it.

        Args:
            gap: why something was not seen.
            left: seconds that were left of the run when it was asked for.
        """
        if not self.whole or gap.kind not in _IN_VAIN or gap.waited:
            return gap
        # The same words for all questions of a worker: what is unknown for one reason is told once.
        if remark := late_start(self.whole, self._used):
            return replace(gap, reason=f"{gap.reason}{remark}")
        if left < self.clock.patience:
            late = f"its turn came when little was left of the run's {self.whole:g} s: {_MORE}"
            return replace(gap, reason=f"{gap.reason} ({late})")
        return gap


def late_start(whole: float, used: float) -> str:
    """What is to be added to a reason where a run had used much of its time before it asked; "" where it had not.

    Args:
        whole: seconds that the run has; 0 where nobody says.
        used: seconds of them that were gone.
    """
    if not whole or used < _USED * whole:
        return ""
    return f" (this run had used {used:.1f} s of its {whole:g} s before it asked: {_MORE})"


_MORE: Final = "--deadline gives more"

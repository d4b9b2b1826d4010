"""What did not answer in its time, where the run itself had left it little: said with the reason."""

from typing import Final

from runbook.model.probe import Clock

_IN_VAIN: Final = "in its time"
"""How connections say that they waited in vain; a test holds their words against this."""
_USED: Final = 0.3  # of the run's time, gone before a system is asked: then it had less than its share. Our judgement


class TimeBudget:
    """How much of a run's time was left for one connection: what its worker can tell of it."""

    def __init__(self, clock: Clock, whole: float) -> None:
        """Note what is left now.

        Args:
            clock: of the worker, which begins now.
            whole: seconds that the run has; 0 where nobody says.
        """
        self.clock = clock
        self.whole = whole
        self._used = whole - clock.left()

    def told(self, reason: str, left: float) -> str:
        """A reason, with what the run itself had to do with it.

        Args:
            reason: why something was not seen.
            left: seconds that were left of the run when it was asked for.
        """
        if not self.whole or _IN_VAIN not in reason:
            return reason
        # The same words for all questions of a worker: what is unknown for one reason is told once.
        if remark := late_start(self.whole, self._used):
            return f"{reason}{remark}"
        if left < self.clock.patience:
            return f"{reason} (its turn came when little was left of the run's {self.whole:g} s: {_MORE})"
        return reason


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

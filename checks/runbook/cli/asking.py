"""Ask single questions outside a run, and show how far that is."""

from collections.abc import Mapping, Sequence
from typing import Any

from runbook.cli import clock
from runbook.cli.running import read_deadline
from runbook.cli.terminal import Status
from runbook.engine.inventory import Inventory, Target
from runbook.run import asking
from runbook.run.asking import Answers


def ask_all(
    targets: Sequence[Target],
    inventory: Inventory,
    probes: Sequence[str],
    deadline: str,
    *,
    given: Mapping[str, Any] | None = None,
    user_checks: Sequence[str] = (),
) -> Answers:
    """Put probes to environments; see `run.asking.ask_all`. The deadline counts from when the command began.

    Raises:
        UsageError: the deadline is none, or there is no such probe.
    """
    seconds = read_deadline(deadline) - clock.elapsed()
    status = Status()

    def show(answered: int, asked: int) -> None:
        status.show(f"{answered} of {asked} answers · {clock.elapsed():.1f} s")

    try:
        return asking.ask_all(targets, inventory, probes, seconds, given=given, user_checks=user_checks, follow=show)
    finally:
        status.clear()

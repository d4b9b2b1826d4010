"""How busy this machine is: a client that has no processor to run on measures that, and not the cluster."""

from pathlib import Path


class BusyMachine:
    """The share of all processors that was busy since this was made."""

    def __init__(self) -> None:
        """Begin."""
        self._before = _times()

    def share(self) -> float | None:
        """Between 0 and 1; None where the system does not say (no /proc/stat), or it was too short."""
        before, after = self._before, _times()
        if before is None or after is None or after[1] <= before[1]:
            return None
        return round(1 - (after[0] - before[0]) / (after[1] - before[1]), 3)


def _times() -> tuple[int, int] | None:
    """Idle and all time of the processors, in ticks (proc_stat(5)); waiting for disks counts as idle."""
    try:
        name, *ticks = Path("/proc/stat").read_text("ascii").partition("\n")[0].split()
        counts = [int(tick) for tick in ticks[:8]]
    except (OSError, ValueError):
        return None
    return (counts[3] + counts[4], sum(counts)) if name == "cpu" else None

"""Why a run on record is not to be read as any other."""

from runbook.evidence.lines import RunLine


def marks(run: RunLine, *more: str) -> str:
    """Why a run is not to be read as any other, and more that is said of it, in brackets; empty if there is nothing."""
    notes = [
        "" if run.complete else "not all checks",
        "interrupted" if run.interrupted else "",
        "made up, nothing was measured" if run.generated else "",
        *more,
    ]
    return f"({'; '.join(filter(None, notes))})" if any(notes) else ""

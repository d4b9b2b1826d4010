"""What the scorecard job is asked for, and what it answers."""

from pathlib import Path
from typing import Any

from msgspec import Struct

from runbook.model.scorecard import ALL


class RollUpSummary(Struct, frozen=True):
    """What came of a roll-up.

    Attributes:
        out: the folder with the files.
        week: the last week of the card, as in 2026-W47.
        as_of: RFC 3339 UTC, the moment the card is of.
        environments: how many environments are on it.
        silent: those of them without a scored run in the last week.
        failing: how many checks fail in the last week, waived ones left out.
        counts: what was read, used and set aside; see docs/reference/scorecard-files.md.
        work: what this job had to do: `new_files` read, `segments` written, `summaries` of weeks made. Not in the
            scorecard, which is the same whether or not something had to be read for it.
        stands: whether the tables were there already, of all the same, so that nothing was done.
    """

    out: Path
    week: str
    as_of: str
    environments: int
    silent: list[str]
    failing: int
    counts: dict[str, int]
    work: dict[str, int]
    stands: bool


class Order(Struct, frozen=True):
    """What is to be rolled up; see `runbook.scorecard.job.roll_up`. Checks are named by `old_names` → present ones."""

    store: str
    out: Path
    master: str
    weeks: int
    as_of: str | None
    java_home: Path | None
    weeks_dir: str | None
    cache: Path | None
    old_names: dict[str, str] = {}


def summary_of(out: Path, card: dict[str, Any], work: dict[str, int] | None) -> RollUpSummary:
    """Sum up what a card says.

    Args:
        out: the folder it is in.
        card: the content of scorecard.json.
        work: what was done for it; None if it was there already.
    """
    now = [
        row
        for row in card["tables"]["scores"]
        if row["week"] == card["week"] and (row["runbook"], row["severity"]) == (ALL, ALL)
    ]
    return RollUpSummary(
        out=out,
        week=card["week"],
        as_of=card["as_of"],
        environments=len(card["environments"]),
        silent=[row["environment"] for row in now if row["status"] == "silent"],
        failing=sum(not row["waived"] for row in card["tables"]["failing"]),
        counts=card["counts"],
        work=work or dict.fromkeys(("new_files", "segments", "summaries"), 0),
        stands=work is None,
    )

"""How walks stand, by their records: those of the last days are told beside the causes whose procedure they walk."""

import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from runbook.model.diagnosis import WalkOnRecord
from runbook.procedure.walk_file import kept, walks_home
from runbook.procedure.walk_record import Ended, Paused, Record

RECENT: Final = 7 * 86_400
"""Seconds after which a walk is not told any more: our judgement, as what was done a week ago is no part of tonight."""


def standing(record: Record) -> str:
    """How a walk stands, in a word or two."""
    last = record.entries[-1]
    if isinstance(last, Ended):
        return last.outcome
    return "paused" if isinstance(last, Paused) else "under way"


def recent_walks(folders: Iterable[Path]) -> list[WalkOnRecord]:
    """The walks of these folders to which something was added lately, the newest first; no rehearsals.

    Args:
        folders: of records; one that is not there has none.

    Raises:
        OSError: a folder, or a file in it, can't be looked at.
    """
    found: dict[str, WalkOnRecord] = {}
    for folder in dict.fromkeys(folders):
        found |= {walk.walk: walk for walk in _of(folder)}
    return sorted(found.values(), key=lambda walk: walk.at, reverse=True)


def _of(folder: Path) -> Iterator[WalkOnRecord]:
    for path, record in kept(folder, since=time.time() - RECENT):
        begun = record.begun
        if begun.rehearsal:
            continue
        stages = [stage for entry in record.entries if (stage := getattr(entry, "stage", ""))]
        yield WalkOnRecord(
            walk=begun.walk,
            procedure=begun.procedure,
            environments=[begun.source, begun.environment] if begun.source else [begun.environment],
            standing=standing(record),
            stage=stages[-1] if stages else "",
            by=begun.by,
            at=record.entries[-1].at,
            word=begun.walk if path.parent == walks_home() else str(path),
        )

"""What changed since a kept look, told beside what a run says of an incident."""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from runbook.changes.difference import EntityChange
from runbook.changes.looks import Look
from runbook.changes.wording import WORDS, sentence
from runbook.evidence.bundle import Bundle
from runbook.model.diagnosis import ChangesSince, Diagnosis, LabelledSentence, of_environment
from runbook.model.recovery import WITHHELD
from runbook.model.run import Run
from runbook.run.comparing import since

MOST = 3  # changes that are told; our judgement: an answer fits a screen of 24 lines


class Looks(Struct, frozen=True):
    """An environment as it is, and as it would be without the causes that hold."""

    as_it_is: Look
    without_causes: Look


def tell_changes(run: Run, kept: Bundle, now: Looks) -> None:
    """Say in a run what changed in an environment since a kept look.

    What a cause itself changed is counted, not told: the reader is after what came before it.

    Args:
        run: the complete run; where it says nothing of causes of the environment, it does so from now on.
        kept: the facts of an earlier run.
        now: those of this one.
    """
    without = since(kept, now.without_causes)
    everything = without if now.as_it_is is now.without_causes else since(kept, now.as_it_is)
    apart = [change for change in map(_seen, without) if change]
    sentences = [LabelledSentence(WORDS[change.kind], sentence(change)) for change in _first_of_each_sort(apart)[:MOST]]
    by_causes = max(0, len(everything) - len(apart))
    diagnosis_of(run, now.as_it_is.environment).changes = ChangesSince(
        since=kept.started_at, run=kept.run, sentences=sentences, more=len(apart) - len(sentences), by_causes=by_causes
    )


def _first_of_each_sort(changes: Sequence[EntityChange]) -> list[EntityChange]:
    """The changes without those in which the same columns of other rows changed: one tells what sort they are."""
    sorts: dict[tuple[Any, ...], EntityChange] = {}
    for change in changes:
        sorts.setdefault((change.probe, change.kind, *(cell.column for cell in change.cells)), change)
    return list(sorts.values())


def _seen(change: EntityChange) -> EntityChange | None:
    """A change without what the causes keep from being seen; None where nothing else changed."""
    cells = tuple(cell for cell in change.cells if WITHHELD not in str(cell.after))
    return None if change.cells and not cells else replace(change, cells=cells)


def diagnosis_of(run: Run, environment: str) -> Diagnosis:
    """What the run says of the environment; new where it said nothing."""
    found = of_environment(run.diagnoses, environment)
    if found is None:
        found = Diagnosis(environment=environment)
        run.diagnoses.append(found)
    return found

"""What changed since a kept look, told beside what a run says of an incident."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from runbook.changes.difference import EntityChange, Unseen
from runbook.changes.observations import Observation
from runbook.changes.wording import WORDS, sentence, why_blind
from runbook.evidence.bundle import Bundle
from runbook.judge.summary import counted
from runbook.model.diagnosis import ChangesSince, Diagnosis, LabelledSentence, of_environment
from runbook.model.recovery import WithheldCell
from runbook.model.run import Run
from runbook.run.diagnosis.comparison import since

MOST = 3  # changes that are told; our judgement: an answer fits a screen of 24 lines


class ExplainedObservation(Struct, frozen=True):
    """An environment as it is, and as it would be without the causes that hold."""

    as_it_is: Observation
    without_causes: Observation


def tell_changes(run: Run, kept: Bundle, now: ExplainedObservation) -> None:
    """Say in a run what changed in an environment since a kept look.

    What a cause itself changed is counted, not told: the reader is after what came before it.

    Args:
        run: the complete run; where it says nothing of causes of the environment, it does so from now on.
        kept: the facts of an earlier run.
        now: those of this one.
    """
    without = since(kept, now.without_causes, now.as_it_is)
    everything = without if now.as_it_is is now.without_causes else since(kept, now.as_it_is)
    apart = [change for change in map(_seen, without.changes) if change]
    sentences = [LabelledSentence(WORDS[change.kind], sentence(change)) for change in _first_of_each_sort(apart)[:MOST]]
    hidden = _hidden(everything.unseen, everything.rows)
    by_causes = max(0, len(everything.changes) - len(apart))
    diagnosis_of(run, now.as_it_is.environment).changes = ChangesSince(
        since=kept.started_at,
        run=kept.run,
        sentences=sentences,
        more=len(apart) - len(sentences),
        by_causes=by_causes,
        seen_twice=everything.rows,
        unseen=sum(one.rows for one in hidden),
        unseen_why=why_blind(everything, "then", "now") or _why(hidden),
    )


def _hidden(unseen: Sequence[Unseen], seen_twice: int) -> list[Unseen]:
    """What a look tried to see and did not; what nobody asked for is that only where nothing was seen twice.

    A run that is told fewer runbooks than the kept one asks less, and that hides nothing of what it is about.
    """
    tried = [one for one in unseen if one.asked]
    return tried if tried or seen_twice else [*unseen]


def _why(hidden: Sequence[Unseen]) -> str:
    """The reason that hides most, after the look that it hides it from, and how many more there are."""
    reasons = Counter[tuple[str, str]]()
    for one in hidden:
        reasons[one.look, one.reason] += max(1, one.rows)
    more = f"; and {counted(len(reasons) - 1, 'more reason')}" if len(reasons) > 1 else ""
    return "".join(
        f"{'now' if look == 'new' else 'then'}: {reason}{more}" for (look, reason), _ in reasons.most_common(1)
    )


def _first_of_each_sort(changes: Sequence[EntityChange]) -> list[EntityChange]:
    """The changes without those in which the same columns of other rows changed: one tells what sort they are."""
    sorts: dict[tuple[Any, ...], EntityChange] = {}
    for change in changes:
        sorts.setdefault((change.probe, change.kind, *(cell.column for cell in change.cells)), change)
    return list(sorts.values())


def _seen(change: EntityChange) -> EntityChange | None:
    """A change without what the causes keep from being seen; None where nothing else changed."""
    cells = tuple(cell for cell in change.cells if not isinstance(cell.after, WithheldCell))
    return None if change.cells and not cells else replace(change, cells=cells)


def diagnosis_of(run: Run, environment: str) -> Diagnosis:
    """What the run says of the environment; new where it said nothing."""
    found = of_environment(run.diagnoses, environment)
    if found is None:
        found = Diagnosis(environment=environment)
        run.diagnoses.append(found)
    return found

"""What changed since a kept look, told beside what a run says of an incident."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from runbook.changes.difference import EntityChange, Unseen
from runbook.changes.observations import Observation
from runbook.changes.wording import WORDS, sentence, why_blind
from runbook.evidence.bundle import Bundle
from runbook.judge.cause import CompiledCause
from runbook.judge.judge import judge
from runbook.judge.summary import counted
from runbook.model.diagnosis import CauseFound, ChangesSince, Diagnosis, LabelledSentence, of_environment
from runbook.model.recovery import WithheldCell
from runbook.model.result import Outcome
from runbook.model.run import Run
from runbook.run.collection.collected_facts import CollectedFacts
from runbook.run.collection.fact_assembly import stored
from runbook.run.diagnosis.comparison import since
from runbook.run.diagnosis.explanation import JudgedEnvironment
from runbook.run.judgement.cause_search import Subject, search_cause

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


def part_failures(diagnosis: Diagnosis, here: JudgedEnvironment, kept: Bundle) -> None:
    """Say which failing checks are new since a kept look, and which failed then.

    Of what that look did not see, or did not ask for, nobody knows.
    """
    then = CollectedFacts({one.ask: stored(one.ask, one.facts) for one in kept.kept})
    failed: dict[str, Outcome] = {}
    for judgement, result in here.judged:
        asked = [ask for asks in judgement.asks.values() for ask in asks]
        known = not judgement.not_applicable_reason and all(ask in then.facts for ask in asked)
        if result.outcome is Outcome.FAIL and not result.waived and known:
            verdict = judge(judgement.compiled, then.of(judgement), judgement.context(kept.started_at))
            failed[result.check] = verdict.outcome
    well = (Outcome.PASS, Outcome.NOT_APPLICABLE)
    diagnosis.lasting = [check for check, outcome in failed.items() if outcome is Outcome.FAIL]
    diagnosis.newly = [check for check, outcome in failed.items() if outcome in well]


def put_new_first(diagnosis: Diagnosis, causes: Iterable[CompiledCause], here: JudgedEnvironment, kept: Bundle) -> None:
    """Say of each cause that holds whether it is new since a kept look, and put the new ones first.

    Of what that look did not see, or did not ask for, nobody knows whether it is new; so too of a cause over a link.
    """
    known = {cause.placed.name: cause for cause in causes if cause.cause.over == "environment"}
    then = CollectedFacts({one.ask: stored(one.ask, one.facts) for one in kept.kept})
    for found in diagnosis.causes if len(diagnosis.named) > 1 else ():
        if found.certain and found.cause in known:
            found.new = _is_new(found, known[found.cause], here, then, kept.started_at)
    diagnosis.causes.sort(key=lambda one: (not one.certain, not one.new))


def _is_new(found: CauseFound, cause: CompiledCause, here: JudgedEnvironment, then: CollectedFacts, when: str) -> bool:
    looked = search_cause(cause, Subject(here.target), then, here.judgements, when)
    if looked is None or looked.unseen:
        return False
    return all({name: [value] for name, value in finding.keys.items()} != found.keys for finding in looked.findings)

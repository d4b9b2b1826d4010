"""Causes that did not hold when the facts were kept last: they are told before those that did."""

from collections.abc import Iterable

from runbook.evidence.bundle import Bundle
from runbook.judge.cause import CompiledCause
from runbook.model.diagnosis import CauseFound, Diagnosis
from runbook.run.collection.collected_facts import CollectedFacts
from runbook.run.collection.fact_assembly import stored
from runbook.run.diagnosis.explanation import JudgedEnvironment
from runbook.run.judgement.cause_search import Subject, search_cause


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

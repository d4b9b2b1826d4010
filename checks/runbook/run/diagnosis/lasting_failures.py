"""Failures that are new since facts were kept last, and those that were there then: checks judged over both."""

from runbook.evidence.bundle import Bundle
from runbook.judge.judge import judge
from runbook.model.diagnosis import Diagnosis
from runbook.model.result import Outcome
from runbook.run.collection.collected_facts import CollectedFacts
from runbook.run.collection.fact_assembly import stored
from runbook.run.diagnosis.explanation import JudgedEnvironment


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

"""What explains a run's failures: causes that hold, and checks judged again over facts without them.

Nothing is inferred from coincidence. A failing check is explained by a cause if it passes without it; it is not if it
fails still; where that can't be known it may be. An unknown check is unknown because of a cause if it lacks only what
the cause withholds. No outcome is changed, and nothing is asked.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, partial
from itertools import product
from typing import Any

from msgspec import Struct, structs

from runbook.judge.cause import CauseFindings, CompiledCause, CompiledEffect, Finding, look_for, tell
from runbook.judge.judge import Context, judge
from runbook.model.ask import FactQuestion, ask
from runbook.model.block import SEVERITIES
from runbook.model.diagnosis import CauseFound, Diagnosis, LabelledSentence
from runbook.model.fact import Fact
from runbook.model.recovery import WITHHELD
from runbook.model.result import Outcome, Result, Verdict
from runbook.parse.inventory import Target
from runbook.run.collected import CollectedFacts, Facts
from runbook.run.plan import Judgement
from runbook.run.recovering import recovered, recovery_named

MOST = 8  # causes that are undone one by one. Our judgement: nobody reads more, and each is judged again for


class JudgedEnvironment(Struct, frozen=True):
    """What is known of one environment when its run is over.

    Attributes:
        target: the environment.
        facts: all that was collected.
        judged: its checks, and what came out.
        now: of the run, RFC 3339 UTC.
        ends: environments at the other ends of its links: what is wrong there may explain what fails here.
    """

    target: Target
    facts: Facts
    judged: Sequence[tuple[Judgement, Result]]
    now: str
    ends: Sequence[Target] = ()

    @property
    def judgements(self) -> list[Judgement]:
        """Its checks."""
        return [judgement for judgement, _ in self.judged]


class _Suspect(Struct):
    """A finding of a cause in an environment, and the facts without it."""

    cause: CompiledCause
    target: Target
    finding: Finding
    without: dict[FactQuestion, dict[str, Any]]


class _JudgedAgain(Struct, frozen=True):
    """A check, and its verdicts over other facts.

    Attributes:
        check: its name.
        failed: how many of its rows offend as things are.
        verdicts: suspect, by its identity → the verdict without it; None where no fact of the check changes.
        together: the verdict without all that are certain; None where no fact of the check changes.
        but_for: the verdict without all that are certain but one.
    """

    check: str
    failed: int
    verdicts: Mapping[int, Verdict | None]
    together: Verdict | None
    but_for: Callable[[_Suspect], Verdict]


class Explained(Struct, frozen=True):
    """What explains failures, and what would be without that.

    Attributes:
        diagnosis: what is said of the environment.
        without: all facts as they would be without the causes that hold.
    """

    diagnosis: Diagnosis
    without: Facts


def diagnose(here: JudgedEnvironment, causes: Iterable[CompiledCause], effects: Iterable[CompiledEffect]) -> Explained:
    """Say what explains the failures of one environment.

    Args:
        here: what is known of it.
        causes: those that may hold.
        effects: what is told beside a cause that holds.
    """
    diagnosis = Diagnosis(environment=here.target.name)
    suspects: list[_Suspect] = []
    seen = CollectedFacts(here.facts)
    for cause, target in product(causes, (here.target, *here.ends)):
        looked = look(cause, target, seen, here.judgements, here.now)
        if looked is None:
            continue
        if not any(finding.certain for finding in looked.findings) and (looked.unseen or looked.findings):
            diagnosis.undecided = [*dict.fromkeys((*diagnosis.undecided, cause.placed.name))]
        suspects += [_Suspect(cause, target, finding, {}) for finding in looked.findings]
    suspects.sort(key=lambda one: not one.finding.certain)
    if len(suspects) > MOST:
        diagnosis.notes.append(f"{len(suspects) - MOST} more findings of causes are not looked at")
        suspects = suspects[:MOST]
    for suspect in suspects:
        suspect.without = _without([suspect], here)
    sure = [suspect for suspect in suspects if suspect.finding.certain]
    without = sure[0].without if len(sure) == 1 else _without(sure, here)
    _explain(diagnosis, suspects, without, here)
    if diagnosis.causes:
        diagnosis.effects = [sentence for effect in effects for sentence in _tell(effect, seen, here)]
    return Explained(diagnosis, without)


def look(
    cause: CompiledCause, target: Target, seen: CollectedFacts, judgements: Iterable[Judgement], now: str
) -> CauseFindings | None:
    """What a cause finds in an environment; None where the run did not fetch what it looks at.

    Args:
        cause: the cause.
        target: the environment.
        seen: what was collected.
        judgements: checks of the run, of which those under `verify` say which parameters are in force.
        now: of the run, RFC 3339 UTC.
    """
    params = _params(cause, judgements)
    facts = _named(cause, seen, target, params)
    return None if facts is None else look_for(cause, facts, _context(target, params, now))


def _context(target: Target, params: dict[str, Any], now: str) -> Context:
    """What causes may read of an environment besides its facts."""
    of = target.environment
    return Context(target.name, of.labels, of.ranking(), params, now)


def _params(cause: CompiledCause, judgements: Iterable[Judgement]) -> dict[str, Any]:
    """The cause's parameters; one that a check under `verify` has, too, is what is in force there."""
    params = {name: parameter.default for name, parameter in cause.cause.params.items()}
    verify = {_whole_name(cause, check) for check in cause.cause.verify}
    for judgement in judgements:
        if not judgement.barred and judgement.compiled.placed.name in verify:
            params |= {name: value for name, value in judgement.params.items() if name in params}
    return params


def _tell(effect: CompiledEffect, seen: CollectedFacts, here: JudgedEnvironment) -> list[LabelledSentence]:
    facts = _named(effect, seen, here.target, {})
    return [] if facts is None else tell(effect, facts, _context(here.target, {}, here.now))


def _named(
    compiled: CompiledCause | CompiledEffect, seen: CollectedFacts, target: Target, params: Mapping[str, Any]
) -> dict[str, Fact] | None:
    """The facts that a block names; None where the run did not fetch one of them."""
    block: Any = compiled.placed.block
    asks = asks_of_block(compiled, target)
    if not all(asked and all(ask in seen.facts for ask in asked) for asked in asks.values()):
        return None
    return seen.named(asks, block.views, {f"params.{name}": value for name, value in params.items()})


def asks_of_block(compiled: CompiledCause | CompiledEffect, target: Target) -> dict[str, list[FactQuestion]]:
    """By the name of each fact the questions to an environment whose answers it is made of."""
    check = compiled.compiled.check  # the block, as one that looks at the same facts
    probes = compiled.compiled.sources.probes
    return {
        name: [ask(target.name, way, request, {}) for way in target.ways_to(probes[name])]
        for name, request in check.facts.items()
    }


def _without(suspects: Sequence[_Suspect], here: JudgedEnvironment) -> dict[FactQuestion, dict[str, Any]]:
    """The facts without some causes, one after the other: first those that only kept something from being seen."""
    facts: Any = here.facts
    for suspect in sorted(suspects, key=_changes_the_system):
        undone = suspect.cause.cause.undone
        facts = recovered(facts, suspect.target.name, undone.recovery, suspect.finding.given)
    return dict(facts)


def _all_but(sure: Sequence[_Suspect], here: JudgedEnvironment, spared: int) -> CollectedFacts:
    """The facts without all causes but one, named by its identity."""
    others = [certain for certain in sure if id(certain) != spared]
    return CollectedFacts(others[0].without if len(others) == 1 else _without(others, here))


def _changes_the_system(suspect: _Suspect) -> bool:
    return not recovery_named(suspect.cause.cause.undone.recovery).of_sight


def _explain(diagnosis: Diagnosis, suspects: Sequence[_Suspect], without: Facts, here: JudgedEnvironment) -> None:
    open_ = [
        (judgement, result)
        for judgement, result in here.judged
        if result.outcome in {Outcome.FAIL, Outcome.UNKNOWN} and not judgement.barred
    ]
    sure = [suspect for suspect in suspects if suspect.finding.certain]
    found = {id(suspect): _found(suspect, here) for suspect in suspects}
    alone = {id(suspect): _judged_again(open_, here.facts, suspect.without, here.now) for suspect in suspects}
    everything = _judged_again(open_, here.facts, without, here.now) if len(sure) > 1 else {}
    all_but = cache(partial(_all_but, sure, here))  # most causes are never asked about: one alone decides
    for judgement, result in open_:
        verdicts = {id(suspect): alone[id(suspect)].get(_key(judgement)) for suspect in suspects}
        together = everything.get(_key(judgement)) or next((verdicts[id(certain)] for certain in sure), None)
        again = _JudgedAgain(
            result.check, result.failed, verdicts, together, partial(_but_for, judgement, all_but, here.now)
        )
        if result.outcome is Outcome.UNKNOWN:
            _of_unknown(again, suspects, found)
        elif not result.waived:
            _of_failure(again, suspects, found)
            _left(diagnosis, again, explained=any(result.check in _claims(found[id(certain)]) for certain in sure))
    _chain(sure, found, here)
    weight = {result.check: SEVERITIES.index(result.severity) for _, result in open_}
    # What can't be decided is a possible cause only where it would explain something that fails.
    diagnosis.causes = sorted(
        (cause for cause in found.values() if cause.certain or _claims(cause)),
        key=lambda one: (not one.certain, -max(map(weight.__getitem__, _claims(one)), default=-1), -len(_claims(one))),
    )


def _but_for(judgement: Judgement, all_but: Callable[[int], CollectedFacts], now: str, spared: _Suspect) -> Verdict:
    return _verdict(judgement, all_but(id(spared)), now)


def _claims(one: CauseFound) -> list[str]:
    return [*one.explains, *one.helps]


def _of_failure(again: _JudgedAgain, suspects: Sequence[_Suspect], found: Mapping[int, CauseFound]) -> None:
    """Note with the causes what becomes of a failing check without them."""
    alone = [suspect for suspect in suspects if _is(again.verdicts[id(suspect)], Outcome.PASS, Outcome.NOT_APPLICABLE)]
    for suspect in suspects:
        verdict, cause = again.verdicts[id(suspect)], found[id(suspect)]
        if suspect in alone:
            cause.explains.append(again.check)
        elif _is(verdict, Outcome.UNKNOWN):
            cause.may_explain.append(again.check)
        elif not alone and _helps(again, suspect):
            (cause.helps if _is(again.together, Outcome.PASS) else cause.may_explain).append(again.check)


def _helps(again: _JudgedAgain, one: _Suspect) -> bool:
    """Whether a check that does not fail without all causes has fewer offending rows without this one, or needs it.

    It is needed where the check comes out otherwise without all the others.
    """
    verdict, together = again.verdicts[id(one)], again.together
    if verdict is None or together is None or not one.finding.certain:
        return False
    if not _is(together, Outcome.PASS, Outcome.UNKNOWN):
        return False
    return verdict.failed < again.failed or not _is(again.but_for(one), together.outcome)


def _of_unknown(again: _JudgedAgain, suspects: Sequence[_Suspect], found: Mapping[int, CauseFound]) -> None:
    """Note with the causes which checks are unknown for want of what they alone withhold."""
    for suspect in suspects:
        verdict = again.verdicts[id(suspect)]
        together = again.together if suspect.finding.certain else None
        if verdict is not None and any(map(_only_withheld, filter(None, (verdict, together)))):
            found[id(suspect)].withholds.append(again.check)


def _only_withheld(verdict: Verdict) -> bool:
    """Whether nothing is lacking but what the cause keeps from being seen; so, too, where all can be seen now."""
    if verdict.outcome is not Outcome.UNKNOWN:
        return verdict.outcome is not Outcome.FAIL
    undecided = [row.message for row in verdict.rows if row.outcome == "unknown"]
    reasons = [gap.reason for gap in verdict.gaps] + undecided
    if not reasons:
        return WITHHELD in verdict.reason
    return len(undecided) >= verdict.undecided and all(WITHHELD in reason for reason in reasons)


def _left(diagnosis: Diagnosis, again: _JudgedAgain, *, explained: bool) -> None:
    """Note a failing check that would fail without all causes, and how many of its rows."""
    together = again.together
    if together is None and not explained:
        diagnosis.unexplained.append(again.check)
    elif together is not None and together.outcome is Outcome.FAIL:
        diagnosis.unexplained.append(again.check)
        diagnosis.left_over[again.check] = together.failed


def _chain(sure: Sequence[_Suspect], found: Mapping[int, CauseFound], here: JudgedEnvironment) -> None:
    """Put a cause beneath another without which it would not hold; of two such, beneath the one that ends more."""
    ends: dict[int, list[_Suspect]] = {}
    for certain in sure:
        without = CollectedFacts(certain.without)
        ends[id(certain)] = [other for other in sure if other is not certain and not _still_holds(other, without, here)]
    for earlier in sure:
        for other in ends[id(earlier)]:
            mutual = any(back is earlier for back in ends[id(other)])
            if not mutual or len(ends[id(earlier)]) > len(ends[id(other)]):
                found[id(other)].beneath = found[id(earlier)].says


def _still_holds(suspect: _Suspect, without: CollectedFacts, here: JudgedEnvironment) -> bool:
    """Whether a finding is still there, or may be, with another cause undone."""
    looked = look(suspect.cause, suspect.target, without, here.judgements, here.now)
    return (
        looked is None
        or bool(looked.unseen)
        or any(finding.keys == suspect.finding.keys for finding in looked.findings)
    )


def _found(suspect: _Suspect, here: JudgedEnvironment) -> CauseFound:
    cause, finding = suspect.cause.cause, suspect.finding
    place = "" if suspect.target is here.target else f"in {suspect.target.name}: "
    return CauseFound(
        cause=suspect.cause.placed.name,
        title=cause.title,
        says=place + finding.says,
        certain=finding.certain,
        keys={name: [value] for name, value in finding.keys.items()},
        proof=[*finding.proof, *([f"not certain: {finding.doubt}"] if finding.doubt else [])],
        first=finding.first,
        procedure=cause.procedure and _whole_name(suspect.cause, cause.procedure),
        avoid=finding.avoid,
        verify=[_whole_name(suspect.cause, check) for check in cause.verify],
    )


def _whole_name(cause: CompiledCause, word: str) -> str:
    """RUNBOOK/ID of a check or procedure that a cause names."""
    return word if "/" in word else f"{cause.placed.runbook}/{word}"


def _judged_again(
    open_: Sequence[tuple[Judgement, Result]], before: Facts, without: Facts, now: str
) -> dict[tuple[str, str], Verdict]:
    """New verdicts of the checks whose facts changed."""
    collected = CollectedFacts(without)
    return {
        _key(judgement): _verdict(judgement, collected, now)
        for judgement, _ in open_
        if any(
            without[ask].get(look) is not fact
            for asked in judgement.asks.values()
            for ask in asked
            for look, fact in before[ask].items()
        )
    }


def _verdict(judgement: Judgement, collected: CollectedFacts, now: str) -> Verdict:
    """The verdict over changed facts; where a cause hides whether the check applies, what else it lacks counts, too."""
    facts, context = collected.of(judgement), judgement.context(now)
    verdict = judge(judgement.compiled, facts, context)
    if judgement.compiled.applies is None or verdict.outcome is not Outcome.UNKNOWN or not _only_withheld(verdict):
        return verdict
    applied = judge(structs.replace(judgement.compiled, applies=None), facts, context)
    return verdict if _only_withheld(applied) else applied


def _key(judgement: Judgement) -> tuple[str, str]:
    return judgement.compiled.placed.name, judgement.subject


def _is(verdict: Verdict | None, *outcomes: Outcome) -> bool:
    return verdict is not None and verdict.outcome in outcomes

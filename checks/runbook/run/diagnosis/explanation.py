"""What explains a run's failures: causes that hold, and checks judged again over facts without them.

Nothing is inferred from coincidence. A failing check is explained by a cause if it passes without it; it is not if it
fails still; where that can't be known it may be. An unknown check is unknown because of a cause if it lacks only what
the cause withholds. No outcome is changed, and nothing is asked.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, partial
from typing import Any

from msgspec import Struct, structs

from runbook.judge.cause import CompiledCause, CompiledEffect, Finding
from runbook.judge.judge import judge
from runbook.model.ask import FactQuestion
from runbook.model.block import whole_name
from runbook.model.diagnosis import CauseFound, Contrast, Diagnosis, LabelledSentence
from runbook.model.fact import Fact
from runbook.model.recovery import Recovery
from runbook.model.result import Outcome, Result, Verdict
from runbook.model.sentence import shown
from runbook.parse.inventory import Target
from runbook.run.collection.collected_facts import CollectedFacts, Facts, identity
from runbook.run.collection.pinned_cluster import untold
from runbook.run.diagnosis.cause_order import claims, order_causes
from runbook.run.diagnosis.contrasts import Contrasts
from runbook.run.diagnosis.recovered_facts import marked, recovered
from runbook.run.judgement.cause_search import Subject, search_cause, tell_of
from runbook.run.planning.plan import Judgement
from runbook.run.sources.addresses import addressed

_TOGETHER = 0  # in place of the identity of a suspect, of which none is 0
MOST = 8  # causes that are undone one by one. Our judgement: nobody reads more, and each is judged again for


class JudgedEnvironment(Struct, frozen=True):
    """What is known of one environment when its run is over.

    Attributes:
        target: the environment.
        collected: all that was collected.
        judged: its checks, and what came out.
        now: of the run, RFC 3339 UTC.
        ends: environments at the other ends of its links: what is wrong there may explain what fails here.
        links: those links, each with both ends.
    """

    target: Target
    collected: CollectedFacts
    judged: Sequence[tuple[Judgement, Result]]
    now: str
    ends: Sequence[Target] = ()
    links: Sequence[Subject] = ()

    @property
    def facts(self) -> Facts:
        """All that was collected, as it was seen."""
        return self.collected.facts

    @property
    def judgements(self) -> list[Judgement]:
        """Its checks."""
        return [judgement for judgement, _ in self.judged]


class _Suspect(Struct):
    """A finding of a cause, and the facts without it."""

    cause: CompiledCause
    subject: Subject
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
        unseen: verdicts over facts as they are, where what causes keep from being seen is called so: of each suspect,
            and of all that are certain together, under 0.
    """

    check: str
    failed: int
    verdicts: Mapping[int, Verdict | None]
    together: Verdict | None
    but_for: Callable[[_Suspect], Verdict]
    unseen: Mapping[int, Verdict | None]


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
    more = 0
    environments = [Subject(target) for target in (here.target, *here.ends)]
    for cause in causes:
        for subject in here.links if cause.cause.over == "link" else environments:
            found, others = _suspects(diagnosis, cause, subject, here)
            suspects, more = suspects + found, more + others
    suspects.sort(key=lambda one: not one.finding.certain)
    if (more := more + len(suspects) - MOST) > 0:
        diagnosis.notes.append(f"{more} more findings of causes are not looked at")
        suspects = suspects[:MOST]
    known: dict[str, dict[FactQuestion, dict[str, Any]]] = {}  # findings may end by the same recovery
    for suspect in suspects:
        same = repr([(id(recovery), *rest) for recovery, *rest in _undone([suspect])])
        if same not in known:
            known[same] = _without([suspect], here)
        suspect.without = known[same]
    sure = [suspect for suspect in suspects if suspect.finding.certain]
    without = sure[0].without if len(sure) == 1 else _without(sure, here)
    _explain(diagnosis, suspects, without, here)
    diagnosis.contrasts = _contrasts(diagnosis, without, here)
    if diagnosis.causes:
        diagnosis.effects = [sentence for effect in effects for sentence in _effects(effect, here)]
    return Explained(diagnosis, without)


def _contrasts(diagnosis: Diagnosis, without: Facts, here: JudgedEnvironment) -> dict[str, list[Contrast]]:
    """What tells the rows that no cause explains from those that are well, of each check that has such."""
    left = Contrasts(here.target.name, CollectedFacts(without, here.collected), here.now)
    told = {
        result.check: left.of(judgement, result)
        for judgement, result in here.judged
        if result.check in diagnosis.unexplained
    }
    return {check: statements for check, statements in told.items() if statements}


def _suspects(
    diagnosis: Diagnosis, cause: CompiledCause, subject: Subject, here: JudgedEnvironment
) -> tuple[list[_Suspect], int]:
    """What a cause finds in a subject, and how much more; where that could not be decided, the diagnosis says so."""
    looked = search_cause(cause, subject, here.collected, here.judgements, here.now, MOST)
    if looked is None:
        return [], 0
    if not any(finding.certain for finding in looked.findings) and (looked.unseen or looked.findings):
        diagnosis.undecided = [*dict.fromkeys((*diagnosis.undecided, cause.placed.name))]
    return [_Suspect(cause, subject, finding, {}) for finding in looked.findings], looked.more


def _effects(effect: CompiledEffect, here: JudgedEnvironment) -> list[LabelledSentence]:
    """What an effect tells; which site it tells of is said where causes may be of another."""
    sentences = tell_of(effect, Subject(here.target), here.collected, here.now)
    where = f"at {here.target.name}: " if here.ends else ""
    return [structs.replace(sentence, says=f"{where}{sentence.says}") for sentence in sentences]


def _without(
    suspects: Sequence[_Suspect], here: JudgedEnvironment, undo: Callable[..., Facts] | None = None
) -> dict[FactQuestion, dict[str, Any]]:
    """The facts without some causes, one after the other: first those that only kept something from being seen."""
    facts: Any = here.facts
    undo = undo or partial(recovered, cloud=here.collected.clouded)
    for recovery, environment, given in _undone(suspects):
        facts = undo(facts, environment, recovery, given)
    return dict(facts)


def _undone(suspects: Sequence[_Suspect]) -> list[tuple[Recovery, str, dict[str, list[Any]]]]:
    """The recoveries of causes, each with where it is for and what it is given, in the order in which they are made."""
    undone = [
        (undone.recovery, suspect.subject.concerned(undone.at).name, given)
        for suspect in suspects
        for undone, given in zip(suspect.cause.undone, suspect.finding.given, strict=True)
    ]
    return sorted(undone, key=lambda each: not each[0].of_sight)


def _all_but(sure: Sequence[_Suspect], here: JudgedEnvironment, spared: int) -> CollectedFacts:
    """The facts without all causes but one, named by its identity."""
    others = [certain for certain in sure if id(certain) != spared]
    return CollectedFacts(others[0].without if len(others) == 1 else _without(others, here), here.collected)


def _explain(diagnosis: Diagnosis, suspects: Sequence[_Suspect], without: Facts, here: JudgedEnvironment) -> None:
    open_ = [
        (judgement, result)
        for judgement, result in here.judged
        if (result.outcome is Outcome.FAIL or result.is_unknown) and not judgement.not_applicable_reason
    ]
    sure = [suspect for suspect in suspects if suspect.finding.certain]
    found = {id(suspect): _found(suspect, here) for suspect in suspects}
    each = {id(suspect.without): suspect.without for suspect in suspects}
    again_by = partial(_judged_again, here=here, known={})
    judged = {key: again_by(open_, facts) for key, facts in each.items()}
    alone = {id(suspect): judged[id(suspect.without)] for suspect in suspects}
    everything = again_by(open_, without) if len(sure) > 1 else {}
    unknown = [pair for pair in open_ if pair[1].outcome is Outcome.UNKNOWN]
    groups = {id(suspect): [suspect] for suspect in suspects} | ({_TOGETHER: sure} if len(sure) > 1 else {})
    unseen = {key: again_by(unknown, _without(group, here, marked)) for key, group in groups.items()}
    all_but = cache(partial(_all_but, sure, here))  # most causes are never asked about: one alone decides
    for judgement, result in open_:
        verdicts = {id(suspect): alone[id(suspect)].get(_key(judgement)) for suspect in suspects}
        together = everything.get(_key(judgement)) or next((verdicts[id(certain)] for certain in sure), None)
        again = _JudgedAgain(
            result.check,
            result.failed,
            verdicts,
            together,
            partial(_but_for, judgement, here, all_but),
            {key: verdict.get(_key(judgement)) for key, verdict in unseen.items()},
        )
        if result.outcome is Outcome.UNKNOWN:
            _of_unknown(again, suspects, found)
        elif not result.waived:
            _of_failure(again, suspects, found)
            _left(diagnosis, again, explained=any(result.check in claims(found[id(certain)]) for certain in sure))
    _chain(sure, found, here)
    before = {
        suspect.cause.placed.name: [
            whole_name(later, suspect.cause.placed.runbook) for later in suspect.cause.cause.before
        ]
        for suspect in sure
    }
    order_causes(diagnosis, found.values(), [result for _, result in here.judged], before)


def _but_for(
    judgement: Judgement, here: JudgedEnvironment, all_but: Callable[[int], CollectedFacts], spared: _Suspect
) -> Verdict:
    return _verdict(judgement, here.facts, all_but(id(spared)), here.now, {})


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
        together = (again.together, again.unseen.get(_TOGETHER)) if suspect.finding.certain else ()
        without = filter(None, (verdict, again.unseen[id(suspect)], *together))
        if verdict is not None and any(map(_only_withheld, without)):
            found[id(suspect)].withholds.append(again.check)


def _only_withheld(verdict: Verdict) -> bool:
    """Whether nothing is lacking but what the cause keeps from being seen; so, too, where all can be seen now."""
    if verdict.outcome is not Outcome.UNKNOWN:
        return verdict.outcome is not Outcome.FAIL
    lacking = [*(gap.withheld for gap in verdict.gaps), *(doubt.withheld for doubt in verdict.doubts)]
    return bool(lacking) and all(lacking)


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
        without = CollectedFacts(certain.without, here.collected)
        ends[id(certain)] = [other for other in sure if other is not certain and not _still_holds(other, without, here)]
    for earlier in sure:
        for other in ends[id(earlier)]:
            mutual = any(back is earlier for back in ends[id(other)])
            if not mutual or len(ends[id(earlier)]) > len(ends[id(other)]):
                found[id(other)].beneath = found[id(earlier)].says


def _still_holds(suspect: _Suspect, without: CollectedFacts, here: JudgedEnvironment) -> bool:
    """Whether a finding is still there, or may be, with another cause undone."""
    looked = search_cause(suspect.cause, suspect.subject, without, here.judgements, here.now)
    return (
        looked is None
        or bool(looked.unseen)
        or any(finding.keys == suspect.finding.keys for finding in looked.findings)
    )


def _found(suspect: _Suspect, here: JudgedEnvironment) -> CauseFound:
    cause, finding = suspect.cause.cause, suspect.finding
    elsewhere = suspect.subject.link is None and suspect.subject.target is not here.target
    place = f"in {suspect.subject.target.name}: " if elsewhere else ""
    return CauseFound(
        cause=suspect.cause.placed.name,
        title=cause.title,
        says=place + finding.says,
        certain=finding.certain,
        keys={name: [value] for name, value in finding.keys.items()},
        proof=[*finding.proof, *([f"not certain: {finding.doubt}"] if finding.doubt else [])],
        # Of two sites nothing tells which one a command means.
        first=addressed(finding.first, suspect.subject.target) if suspect.subject.link is None else finding.first,
        procedure=cause.procedure and whole_name(cause.procedure, suspect.cause.placed.runbook),
        words=finding.words,
        avoid=finding.avoid,
        verify=[whole_name(check, suspect.cause.placed.runbook) for check in cause.verify],
    )


_Known = dict[tuple[Any, ...], tuple[Mapping[str, Fact], Verdict]]
"""Check and facts, by what they are known by -> those facts, which live as long, and the verdict over them."""


def _judged_again(
    open_: Sequence[tuple[Judgement, Result]], without: Facts, here: JudgedEnvironment, known: _Known
) -> dict[tuple[str, str], Verdict]:
    """New verdicts of the checks whose facts changed."""
    before, collected = here.facts, CollectedFacts(without, here.collected)
    return {
        _key(judgement): _verdict(judgement, before, collected, here.now, known)
        for judgement, _ in open_
        if any(
            without[ask].get(look) is not fact
            for asked in judgement.asks.values()
            for ask in asked
            for look, fact in before[ask].items()
        )
    }


def _verdict(judgement: Judgement, before: Facts, collected: CollectedFacts, now: str, known: _Known) -> Verdict:
    """The verdict over changed facts; where a cause hides whether the check applies, what else it lacks counts, too.

    Of a cluster that did not tell which it is nothing is known, whatever else is seen there, until it tells.
    """
    if untold(judgement, before) and (gaps := untold(judgement, collected.facts)):
        return Verdict(Outcome.UNKNOWN, shown(*(gap.reason for gap in gaps)), gaps=gaps)
    facts = collected.of(judgement)
    key = (*_key(judgement), *sorted((name, identity(fact)) for name, fact in facts.items()))
    if key not in known:
        known[key] = facts, _verdict_over(judgement, facts, now)
    return known[key][1]


def _verdict_over(judgement: Judgement, facts: Mapping[str, Fact], now: str) -> Verdict:
    context = judgement.context(now)
    verdict = judge(judgement.compiled, facts, context)
    if judgement.compiled.applies is None or verdict.outcome is not Outcome.UNKNOWN or not _only_withheld(verdict):
        return verdict
    applied = judge(structs.replace(judgement.compiled, applies=None), facts, context)
    return verdict if _only_withheld(applied) else applied


def _key(judgement: Judgement) -> tuple[str, str]:
    return judgement.compiled.placed.name, judgement.subject


def _is(verdict: Verdict | None, *outcomes: Outcome) -> bool:
    return verdict is not None and verdict.outcome in outcomes

"""Ask single questions outside a run: for authors, to test connections, and for what-if."""

from collections.abc import Callable, Collection, Mapping, Sequence, Sized
from typing import Any

from msgspec import Struct

from runbook.evidence.bundle import Bundle
from runbook.model.ask import FactQuestion, ask
from runbook.model.block import FactRequest
from runbook.model.fact import Fact, Gap
from runbook.model.gap_kind import GapKind
from runbook.parse.inventory import Target
from runbook.plugins.catalog import catalog
from runbook.run.collection.fact_assembly import facts_without_asking, joined, settings_of, stored
from runbook.run.collection.worker import blank
from runbook.run.collection.workers import Work, Workers, awaited

Answers = dict[tuple[str, str], Fact]


class Answering(Struct, frozen=True):
    """How far an asking is.

    Attributes:
        answered: how many questions are answered.
        asked: of how many.
        waiting_for: who has not answered yet, as in `kafka_broker of prod`.
        loading: whether nothing was asked yet, as libraries are being loaded.
    """

    answered: int
    asked: int
    waiting_for: list[str] = []
    loading: bool = False


Follow = Callable[[Answering], None]
"""Is told, several times a second, how far an asking is."""


def ask_all(
    targets: Sequence[Target],
    probes: Sequence[str],
    seconds: float,
    *,
    given: Mapping[str, Any] | None = None,
    user_checks: Sequence[str] = (),
    follow: Follow | None = None,
) -> Answers:
    """Put probes to environments.

    Args:
        targets: the environments.
        probes: by name.
        seconds: from the first request, after which what has not answered is a gap.
        given: parameters of the probes.
        user_checks: folders with probes of one's own.
        follow: is told, several times a second, how far it is.

    Returns:
        (environment, probe) -> fact; every one of them is there, with its gaps if it was not answered in time.

    Raises:
        UsageError: there is no such probe.
    """
    asks = [ask for target in targets for ask in _asks(target, probes, given or {})]
    by_name = {target.name: target for target in targets}
    return _by_probe(put(asks, by_name, seconds, user_checks=user_checks, follow=follow))


def put(
    asks: Sequence[FactQuestion],
    targets: Mapping[str, Target],
    seconds: float,
    *,
    user_checks: Sequence[str] = (),
    follow: Follow | None = None,
) -> dict[FactQuestion, Fact]:
    """Put questions to the environments that they name, once each; see `ask_all`. Every one of them has its fact.

    Args:
        asks: the questions.
        targets: environments by name; those that the questions name, or more.
        seconds: from the first request, after which what has not answered is a gap.
        user_checks: folders with probes of one's own.
        follow: is told, several times a second, how far it is.
    """
    answers: dict[FactQuestion, Fact] = {}
    works: dict[tuple[str, str], list[FactQuestion]] = {}
    for question in dict.fromkeys(asks):
        if (facts := facts_without_asking(question, targets[question.environment])) is not None:
            answers[question] = facts[""]
        else:
            works.setdefault((question.environment, question.connection), []).append(question)
    todo = [Work(name, kind, settings_of(targets[name], kind), asks) for (name, kind), asks in works.items()]
    return answers | _collect(todo, seconds, user_checks, follow or _nobody)


def _by_probe(answers: Mapping[FactQuestion, Fact]) -> Answers:
    """What several kinds of connection told to one probe is one fact."""
    found: dict[tuple[str, str], list[Fact]] = {}
    for question, fact in answers.items():
        found.setdefault((question.environment, question.probe), []).append(fact)
    return {key: facts[0] if len(facts) == 1 else joined(facts) for key, facts in found.items()}


def _asks(target: Target, probes: Sequence[str], given: Mapping[str, Any]) -> list[FactQuestion]:
    request = {probe: FactRequest(probe, dict(given)) for probe in probes}
    ways = {probe: target.ways_to(catalog("probes").load(probe).PROBE) for probe in probes}
    return [ask(target.name, way, request[probe], {}) for probe in probes for way in ways[probe]]


def _nobody(event: Answering) -> None:
    """Tell it to nobody."""
    del event


def _collect(
    todo: Sequence[Work], seconds: float, user_checks: Sequence[str], follow: Follow
) -> dict[FactQuestion, Fact]:
    """Run the workers; what they have not answered by a little after the deadline is a gap."""
    waiting = {ask for work in todo for ask in work.asks}
    answers: dict[FactQuestion, Fact] = {}
    workers = Workers(todo, seconds, list(user_checks))
    try:
        follow(_progress(answers, waiting, workers))
        for answered in workers.come():
            if answered is not None:
                waiting.discard(answered.ask)
                answers[answered.ask] = answered.facts[""]
            follow(_progress(answers, waiting, workers))
    finally:
        workers.stop()
    late = {ask: Gap(f"{ask}: it had not answered by the deadline", kind=GapKind.DEADLINE) for ask in waiting}
    return answers | {ask: blank(ask, gap) for ask, gap in late.items()}


def _progress(answers: Sized, waiting: Collection[FactQuestion], workers: Workers) -> Answering:
    loading = bool(waiting) and workers.clock.asked_at is None
    return Answering(len(answers), len(answers) + len(waiting), awaited(waiting), loading)


def kept_answers(bundle: Bundle, targets: Sequence[Target], probes: Sequence[str]) -> Answers:
    """The same out of a bundle; what it does not hold, or holds only of user topics, has a gap that says so."""
    kept = {kept.ask: stored(kept.ask, kept.facts)[""] for kept in bundle.kept}
    asks = [ask for target in targets for ask in _asks(target, probes, {})]
    return _by_probe({ask: kept.get(ask) or _in_part(bundle, ask) for ask in asks})


def _in_part(bundle: Bundle, wanted: FactQuestion) -> Fact:
    for kept in bundle.kept:
        asked = kept.ask
        if (asked.environment, asked.probe) == (wanted.environment, wanted.probe) and not asked.window:
            fact = stored(asked, kept.facts)[""]
            gap = Gap(f"the bundle holds {wanted.probe} only as asked with {asked.given}", kind=GapKind.NOT_KEPT)
            return Fact(fact.source, fact.columns, [*fact.gaps, gap], fact.inapplicable, fact.collected_at)
    said = f"the bundle does not hold {wanted.probe}: it was collected for other checks"
    return blank(wanted, Gap(said, kind=GapKind.NOT_KEPT))

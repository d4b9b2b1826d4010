"""Look for a cause in what a run collected: in an environment, or over a link between two."""

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import Struct

from runbook.judge.cause import CauseFindings, CompiledCause, CompiledEffect, look_for, tell
from runbook.judge.judge import Context
from runbook.model.ask import FactQuestion
from runbook.model.block import whole_name
from runbook.model.diagnosis import LabelledSentence
from runbook.model.fact import Fact
from runbook.model.link import Mirror, values_of
from runbook.model.reach import unanswered
from runbook.parse.inventory import Target
from runbook.run.collection.collected_facts import CollectedFacts
from runbook.run.planning.plan import Judgement, questions


class Subject(Struct, frozen=True):
    """Where a cause is looked for: an environment, or a link.

    Attributes:
        target: the environment; of a link the one that it leads to.
        source: of a link the one that is mirrored.
        link: as declared; None of an environment.
    """

    target: Target
    source: Target | None = None
    link: Mirror | None = None

    def concerned(self, at: str | None) -> Target:
        """The environment that a fact is of, or that a recovery is for."""
        return self.source if at == "source" and self.source is not None else self.target


def search_cause(
    cause: CompiledCause,
    subject: Subject,
    seen: CollectedFacts,
    judgements: Iterable[Judgement],
    now: str,
    most: int | None = None,
) -> CauseFindings | None:
    """What a cause finds in a subject; None where the run did not fetch what it looks at.

    Args:
        cause: the cause.
        subject: the environment, or the link of a cause that is over one.
        seen: what was collected.
        judgements: checks of the run, of which those under `verify` say which parameters are in force.
        now: of the run, RFC 3339 UTC.
        most: findings to write out, as `look_for` takes it.
    """
    params = _params(cause, judgements)
    facts = _named(cause, seen, subject, params)
    return None if facts is None else look_for(cause, facts, _context(subject, params, now), most)


def _context(subject: Subject, params: dict[str, Any], now: str) -> Context:
    """What causes may read of a subject besides its facts."""
    of = subject.target.environment
    return Context(subject.target.name, of.labels, of.ranking(), params, now, subject.link)


def _params(cause: CompiledCause, judgements: Iterable[Judgement]) -> dict[str, Any]:
    """The cause's parameters; one that a check under `verify` has, too, is what is in force there."""
    params = {name: parameter.default for name, parameter in cause.cause.params.items()}
    if not params:
        return params
    verify = {whole_name(check, cause.placed.runbook) for check in cause.cause.verify}
    for judgement in judgements:
        if not judgement.not_applicable_reason and judgement.compiled.placed.name in verify:
            params |= {name: value for name, value in judgement.params.items() if name in params}
    return params


def tell_of(effect: CompiledEffect, subject: Subject, seen: CollectedFacts, now: str) -> list[LabelledSentence]:
    """What an effect says of an environment; nothing where the run did not fetch what it looks at.

    Where it says nothing as something was not seen, that is said: whoever reads must not take it for nothing. Not where
    nothing answers at all, which a cause says.
    """
    facts = _named(effect, seen, subject, {})
    if facts is None:
        return []
    sentences = tell(effect, facts, _context(subject, {}, now))
    reasons = [gap.reason for fact in facts.values() for gap in fact.gaps if not unanswered(gap)]
    label = effect.effect.tells[0].label
    return sentences or [LabelledSentence(label, f"not known: {reason}") for reason in reasons[:1]]


def _named(
    compiled: CompiledCause | CompiledEffect, seen: CollectedFacts, subject: Subject, params: Mapping[str, Any]
) -> dict[str, Fact] | None:
    """The facts that a block names; None where the run did not fetch one of them."""
    block: Any = compiled.placed.block
    asks = asks_of_block(compiled, subject)
    if not all(asked and all(ask in seen.facts for ask in asked) for asked in asks.values()):
        return None
    return seen.named(asks, block.views, values_of(params, subject.link))


def asks_of_block(compiled: CompiledCause | CompiledEffect, subject: Subject) -> dict[str, list[FactQuestion]]:
    """By the name of each fact the questions whose answers it is made of."""
    check = compiled.compiled.check  # the block, as one that looks at the same facts
    probes = compiled.compiled.sources.probes
    values = values_of({}, subject.link)
    asks = {}
    for name, request in check.facts.items():
        asks[name] = questions(subject.concerned(request.at), probes[name], request, values)
    return asks

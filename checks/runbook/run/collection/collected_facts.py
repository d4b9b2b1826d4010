"""The facts that checks, causes and effects name, made out of what was collected: once for all that name the same."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from runbook.judge.table import BEFORE
from runbook.model.ask import FactQuestion, in_force
from runbook.model.block import ViewRequest
from runbook.model.fact import Fact
from runbook.model.recovery import clouded
from runbook.run.collection.fact_assembly import compute_view, joined, together
from runbook.run.planning.plan import Judgement

Facts = Mapping[FactQuestion, Mapping[str, Fact]]
"""What was collected: ask → look (empty for the only or the second one, `before` for the first of two) → fact."""


def identity(fact: Fact) -> tuple[Any, ...]:
    """What a fact is known by as long as it lives: facts of the same columns and gaps show the same."""
    columns, gaps = map(id, fact.columns.values()), map(id, fact.gaps)
    return (fact.source, fact.inapplicable, fact.collected_at, (*fact.columns,), (*columns,), (*gaps,))


class CollectedFacts:
    """Facts by their names. What several checks have in common is one object: its digest and views are made once."""

    def __init__(self, facts: Facts, known: "CollectedFacts | None" = None) -> None:
        """Look into these, which may still grow; what is made of facts that they share with `known` is kept there."""
        self.facts = facts
        self.made: dict[tuple[Any, ...], Fact] = {}
        self._known = known
        self._own: tuple[tuple[int, int], frozenset[tuple[Any, ...]]] = ((0, 0), frozenset())

    def of(self, judgement: Judgement) -> dict[str, Fact]:
        """Every fact and view that a check of one subject names."""
        fleet = judgement.subject_kind == "fleet"
        return self.named(judgement.asks, judgement.compiled.check.views, judgement.values, fleet=fleet)

    def named(
        self,
        asks: Mapping[str, list[FactQuestion]],
        views: Mapping[str, ViewRequest],
        values: Mapping[str, Any],
        *,
        fleet: bool = False,
    ) -> dict[str, Fact]:
        """Every fact and view by its name.

        Args:
            asks: name → what was asked for it.
            views: name → the view.
            values: what `params.x`, `link.x` and `env.name` stand for.
            fleet: whether rows say of which environment they are.
        """
        found: dict[str, Fact] = {}
        for name, asked in asks.items():
            for look, suffix in (("", ""), (BEFORE, f".{BEFORE}")):
                if all(look in self.facts[ask] for ask in asked):
                    found[name + suffix] = self._fact(asked, look, fleet=fleet)
        for name, request in views.items():
            given = in_force(request.with_, values)
            found[name] = self._view(request.view, {word: found[fact] for word, fact in request.of.items()}, given)
        return found

    def _fact(self, asks: list[FactQuestion], look: str, *, fleet: bool) -> Fact:
        found = [self.facts[ask][look] for ask in asks]
        if len(asks) == 1 and not fleet:
            return found[0]
        key = (fleet, *asks, *map(identity, found))  # kept, as digests go by the identity of facts
        return self._once(key, found, lambda: together(asks, found) if fleet else joined(found))

    def clouded(self, ask: FactQuestion, fact: Fact, keys: Sequence[str], why: str) -> Fact:
        """A fact where nobody knows what it would be; of one that was collected it is made once, as are its views."""
        if not any(fact is seen for seen in self.facts.get(ask, {}).values()):
            return clouded(fact, keys, why)
        return self._once((id(fact), why), (fact,), lambda: clouded(fact, keys, why))

    def _view(self, name: str, inputs: dict[str, Fact], given: dict[str, Any]) -> Fact:
        key = (name, *sorted((word, identity(fact)) for word, fact in inputs.items()), repr(given))
        return self._once(key, inputs.values(), lambda: compute_view(name, inputs, given))

    def _once(self, key: tuple[Any, ...], inputs: Iterable[Fact], make: Callable[[], Fact]) -> Fact:
        """Make a fact out of others, unless it was made before."""
        made = self._known.made if self._known is not None and self._known.has(inputs) else self.made
        if key not in made:
            made[key] = make()
        return made[key]

    def has(self, facts: Iterable[Fact]) -> bool:
        """Whether all of these are among the facts, or made of them."""
        size = (sum(map(len, self.facts.values())), len(self.made))  # both may still grow
        if size != self._own[0]:
            collected = (fact for looks in self.facts.values() for fact in looks.values())
            self._own = (size, frozenset(map(identity, (*collected, *self.made.values()))))
        return all(identity(fact) in self._own[1] for fact in facts)

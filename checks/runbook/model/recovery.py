"""What a recovery declares.

A recovery is one file in `recoveries/`, named as the recovery. It holds `RECOVERY`, a `Recovery`: what facts would be
if what broke had come back. It sets only what that determines, and each of its functions is pure.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from runbook.model.fact import Fact, Gap

_WITHHELD: Final = "not seen because of the cause"


class WithheldCell(str):
    """In a column that tells why others are not known: the cause alone keeps them from being seen."""

    __slots__ = ()


WITHHELD: Final = WithheldCell(_WITHHELD)
"""What the cause alone keeps from being seen was never seen, and is not made up."""


def withheld(gap: Gap) -> Gap:
    """The gap as one of what the cause alone keeps from being seen."""
    return replace(gap, reason=f"{_WITHHELD}: {gap.reason}", withheld=True)


class Situation(Struct, frozen=True):
    """What a recovery may read.

    Attributes:
        facts: probe → what was seen of it when it was asked without parameters.
        given: parameter → its values.
        elsewhere: the same of other environments, one after the other.
    """

    facts: Mapping[str, Fact]
    given: Mapping[str, Sequence[Any]]
    elsewhere: Sequence[Mapping[str, Fact]] = ()


Change = Callable[[Fact, Situation], Fact]


class Recovery(Struct, frozen=True):
    """A function from facts as they are to facts as they would be without the cause.

    Attributes:
        help: one sentence: what comes back.
        takes: the parameters it needs.
        sets: probe → what becomes of its facts.
        leaves: probes whose rows the cause does not touch; what it kept from being seen stays unseen.
        entity: the entity of which gaps speak that the cause accounts for; empty for none.
        of: the parameter that says which of them; empty for none.
        sources: how the mechanism is known.
        hides: whether the cause accounts for a gap of those probes that no entity tells; None for none.
        of_sight: whether the system is as it was, and only is seen again. What comes back depends on who is known to be
            there, so that of several causes these are undone first.
    """

    help: str
    takes: tuple[str, ...]
    sets: Mapping[str, Change]
    leaves: frozenset[str]
    entity: str
    of: str
    sources: tuple[str, ...]
    hides: Callable[[Gap, Situation], bool] | None = None
    of_sight: bool = False

    def accounts_for(self, gap: Gap, situation: Situation) -> bool:
        """Whether the cause keeps from being seen what a gap is about."""
        if self.hides is not None and self.hides(gap, situation):
            return True
        return gap.keys.get(self.entity) in situation.given.get(self.of, ())


def withhold(fact: Fact, entity: str, values: Sequence[Any]) -> Fact:
    """The fact with the gaps that speak of one of these values marked as what the cause withholds."""
    return withhold_where(fact, lambda gap: gap.keys.get(entity) in values)


def withhold_where(fact: Fact, hidden: Callable[[Gap], bool]) -> Fact:
    """The fact with these gaps marked as what the cause withholds."""
    gaps = [withheld(gap) if hidden(gap) else gap for gap in fact.gaps]
    return fact if gaps == fact.gaps else changed(fact, {}, gaps)


def reveal(fact: Fact, entity: str, values: Sequence[Any]) -> list[Gap]:
    """The gaps of a fact that would be left if these were back: those that do not speak of one of them."""
    return [gap for gap in fact.gaps if gap.keys.get(entity) not in values]


def changed(fact: Fact, columns: Mapping[str, list[Any]], gaps: list[Gap]) -> Fact:
    """The fact with some columns and all gaps replaced."""
    return Fact(
        source=fact.source,
        columns={**fact.columns, **columns},
        gaps=gaps,
        inapplicable=fact.inapplicable,
        collected_at=fact.collected_at,
        took_ms=fact.took_ms,
    )


def clouded(fact: Fact, keys: Sequence[str], why: str) -> Fact:
    """The fact where nobody knows what it would be without the cause: its keys, and nothing else."""
    if fact.inapplicable:
        return fact
    unknown = [None] * len(fact)
    columns = {name: cells if name in keys else unknown for name, cells in fact.columns.items()}
    return changed(fact, columns, [*fact.gaps, Gap(why)])

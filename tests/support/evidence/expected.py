"""What checks must say of a state: told by the author of a scene, never taken from the evidence."""

from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

from runbook.model.result import Outcome, Result

WELL = ("pass", "not_applicable")


def alike(one: str, other: str) -> bool:
    """The same outcome, or both well: what is there to be judged may depend on the scenes that were played before."""
    return one == other or {one, other} == set(WELL)


@dataclass(frozen=True)
class Expected:
    """The outcomes of one runbook's checks in one state, by their ids.

    Attributes:
        fails: check → words that its offending rows must hold, of which those in braces are the state's own.
        unknown: these can't be found out in this state; given as a mapping, with words that their reasons must hold.
        passes: these pass, completely: no gaps, and something was judged.
        inapplicable: these don't apply.
        only: check → column of its keys → the values that its offending rows have there, these and no others; where
            only the state knows them, as a text: sorted, with commas.
        judged: check → how many rows it judged.
        undetermined: these may say anything, as chance decides; or, given as a mapping, one of some outcomes.
        others: what all others may say.
        rows: how many rows of a check that fails do, where exactly these and no other may.
    """

    fails: Mapping[str, str | tuple[str, ...]] = field(default_factory=dict)
    unknown: AbstractSet[str] | Mapping[str, str | tuple[str, ...]] = frozenset()
    passes: AbstractSet[str] = frozenset()
    inapplicable: AbstractSet[str] = frozenset()
    only: Mapping[str, Mapping[str, AbstractSet[object] | str]] = field(default_factory=dict)
    judged: Mapping[str, int] = field(default_factory=dict)
    undetermined: AbstractSet[str] | Mapping[str, tuple[str, ...]] = frozenset()
    others: tuple[str, ...] = WELL
    rows: Mapping[str, int] = field(default_factory=dict)

    def allowed(self, check: str) -> tuple[str, ...]:
        """The outcomes that a check may have."""
        if check in self.undetermined:
            return self.undetermined[check] if isinstance(self.undetermined, Mapping) else tuple(Outcome)
        named = {
            "fail": self.fails,
            "unknown": self.unknown,
            "pass": self.passes,
            "not_applicable": self.inapplicable,
        }
        return tuple(outcome for outcome, checks in named.items() if check in checks) or self.others

    def proves(self, check: str, outcome: str) -> bool:
        """Whether a check that says so here is seen to say it for a reason: nothing else was open but not to apply."""
        return check not in self.undetermined and set(self.allowed(check)) - {outcome, "not_applicable"} == set()

    def broken(self, results: Mapping[str, Result], words: Mapping[str, str]) -> Iterator[str]:
        """What is otherwise, in words."""
        named = {*self.fails, *self.unknown, *self.passes, *self.inapplicable, *self.only, *self.judged, *self.rows}
        named |= set(self.undetermined)
        yield from (f"{check}: there is no such check" for check in sorted(named - results.keys()))
        yield from self._otherwise(results, words)
        for check, result in results.items():
            if result.unobserved and "not_applicable" in self.allowed(check):
                continue  # what nobody looks at says as little of a state as what is not there
            if result.outcome not in self.allowed(check):
                yield f"{check}: {result.outcome} instead of {' or '.join(self.allowed(check))}: {_shown(result)}"
            elif check in self.passes and (result.gaps or not result.judged):
                yield f"{check}: passes with gaps {result.gaps}, {result.judged} rows judged"
            elif check in self.fails and check not in self.undetermined:
                said = " ".join(f"{row.key} {row.message}" for row in result.rows if row.outcome == "fail")
                yield from _unsaid(check, said, self.fails[check], words)
            elif isinstance(self.unknown, Mapping) and check in self.unknown:
                said = " ".join([result.reason, *(f"{gap.keys} {gap.reason}" for gap in result.gaps)])
                yield from _unsaid(check, said, self.unknown[check], words)
            if result.failed != self.rows.get(check, result.failed):
                yield f"{check}: {result.failed} rows fail instead of {self.rows[check]}: {_shown(result)}"

    def _otherwise(self, results: Mapping[str, Result], words: Mapping[str, str]) -> Iterator[str]:
        """Where other rows offend, or another number was judged, than is told exactly."""
        for check, columns in self.only.items():
            for column, values in columns.items():
                offending = [row for row in results[check].rows if row.outcome == "fail"] if check in results else []
                found = {row.key.get(column) for row in offending}
                meant = _put_in(values, words) if isinstance(values, str) else values
                if (_listed(found) if isinstance(meant, str) else found) != meant:
                    yield f"{check}: offending are the {column}s {found}, not {meant}"
        for check, number in self.judged.items():
            if check in results and results[check].judged != number:
                yield f"{check}: judged {results[check].judged} rows, not {number}"


def _unsaid(check: str, said: str, needed: str | tuple[str, ...], words: Mapping[str, str]) -> Iterator[str]:
    for text in (needed,) if isinstance(needed, str) else needed:
        meant = _put_in(text, words)
        if meant not in said:
            yield f"{check}: does not say {meant!r}: {said[:500]}"


def _listed(values: AbstractSet[object]) -> str:
    return ",".join(sorted(map(str, values)))


def _put_in(text: str, words: Mapping[str, str]) -> str:
    for name, meaning in words.items():
        text = text.replace(f"{{{name}}}", meaning)
    return text


def _shown(result: Result) -> str:
    return f"{result.reason} {[row.message for row in result.rows][:3]}"

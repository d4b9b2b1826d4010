"""Facts as they would be without a cause, by its recovery."""

from collections.abc import Callable, Mapping, Sequence
from operator import is_
from typing import Any

from msgspec.structs import replace

from runbook.model.ask import FactQuestion
from runbook.model.errors import CannotLook
from runbook.model.fact import Fact
from runbook.model.recovery import Recovery, Situation, clouded, withhold_where
from runbook.plugins.catalog import catalog
from runbook.plugins.guard import attempt
from runbook.run.collection.collected_facts import Facts

NO_PARAMETERS = "{}"

Cloud = Callable[[FactQuestion, Fact, Sequence[str], str], Fact]


def _clouded(_: FactQuestion, fact: Fact, keys: Sequence[str], why: str) -> Fact:
    return clouded(fact, keys, why)


def recovered(
    facts: Facts, environment: str, recovery: Recovery, given: Mapping[str, Sequence[Any]], cloud: Cloud = _clouded
) -> dict[FactQuestion, dict[str, Fact]]:
    """All facts as they would be if what broke in one environment had come back.

    Facts that the recovery leaves alone are the same objects, so that it can be seen which ones changed.

    Args:
        facts: as they are.
        environment: where the cause holds; facts of others stay.
        recovery: what comes back.
        given: its parameters.
        cloud: makes the fact of which nobody knows what it would be, with its keys alone, and why.
    """
    situation = _situation(facts, environment, given)
    return _with(facts, environment, lambda ask, fact: _recovered(ask, fact, recovery, situation, cloud))


def marked(
    facts: Facts, environment: str, recovery: Recovery, given: Mapping[str, Sequence[Any]]
) -> dict[FactQuestion, dict[str, Fact]]:
    """All facts as they are, where only what the cause keeps from being seen is called so. As `recovered`."""
    situation = _situation(facts, environment, given)
    return _with(
        facts,
        environment,
        lambda _, fact: withhold_where(fact, lambda gap: recovery.accounts_for(gap, situation)),
    )


def _situation(facts: Facts, environment: str, given: Mapping[str, Sequence[Any]]) -> Situation:
    seen: dict[str, dict[str, Fact]] = {environment: {}}
    for ask, looks in facts.items():
        if ask.given == NO_PARAMETERS and not ask.looks:
            seen.setdefault(ask.environment, {})[ask.probe] = looks[""]
    return Situation(seen.pop(environment), given, [*seen.values()])


def _with(
    facts: Facts, environment: str, change: Callable[[FactQuestion, Fact], Fact]
) -> dict[FactQuestion, dict[str, Fact]]:
    return {
        ask: {look: change(ask, fact) for look, fact in looks.items()}
        if ask.environment == environment
        else dict(looks)
        for ask, looks in facts.items()
    }


def _recovered(ask: FactQuestion, fact: Fact, recovery: Recovery, situation: Situation, cloud: Cloud) -> Fact:
    if fact.inapplicable:
        return fact
    if ask.probe in recovery.leaves:
        return withhold_where(fact, lambda gap: recovery.accounts_for(gap, situation))
    change = recovery.sets.get(ask.probe)
    if change is None:
        return cloud(ask, fact, _keys(ask.probe), f"what {ask.probe} would show without the cause is not known")
    made = attempt(lambda: change(fact, situation))
    return cloud(ask, fact, _keys(ask.probe), str(made)) if isinstance(made, CannotLook) else _sharing(fact, made)


def _sharing(fact: Fact, made: Fact) -> Fact:
    """What became of a fact, with its very columns where no cell changed: their views are known already.

    Cells are compared by their identity alone: 0.0 and -0.0 are equal, and not the same.
    """
    if made is fact or len(made) != len(fact):
        return made
    same = {
        name: cells
        for name, cells in fact.columns.items()
        if name in made.columns and (cells is made.columns[name] or all(map(is_, cells, made.columns[name])))
    }
    return replace(made, columns=made.columns | same)


def _keys(probe: str) -> list[str]:
    if probe not in catalog("probes"):
        return []
    return [column.name for column in catalog("probes").load(probe).PROBE.columns if column.key]

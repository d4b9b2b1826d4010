"""Make the facts a check names out of what was fetched: views, several environments, connections that are not there."""

import datetime as dt
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from msgspec.structs import replace

from runbook.judge.scope import FLEET
from runbook.judge.table import BEFORE
from runbook.model.ask import FactQuestion
from runbook.model.errors import CannotLook, Mistake
from runbook.model.fact import Fact, Gap, Observed, conform, distinct, tabulate
from runbook.model.gap_kind import GapKind
from runbook.model.parameter import with_defaults
from runbook.model.probe import Probe
from runbook.model.view import Input
from runbook.parse.inventory import Target
from runbook.parse.unobserved import Unobserved
from runbook.plugins.catalog import catalog
from runbook.plugins.debugging import HINT
from runbook.plugins.guard import attempt
from runbook.run.collection.worker import blank


def compute_view(name: str, bound: Mapping[str, Fact], given: Mapping[str, Any]) -> Fact:
    """Compute a view; what its inputs lack, it lacks, but for what it tells of that itself.

    Args:
        name: of the view.
        bound: each of its inputs by its name; their order says nothing.
        given: its parameters, as far as they are given.
    """
    module = catalog("views").load(name)
    declared: Mapping[str, Input] = module.VIEW.inputs
    inputs = {word: bound[word] for word in declared}
    columns = module.VIEW.columns
    empty: dict[str, list[Any]] = {column.name: [] for column in columns}
    needed = (fact for word, fact in inputs.items() if not declared[word].tells)
    inapplicable = next((fact.inapplicable for fact in needed if fact.inapplicable), "")
    if inapplicable:
        return Fact(name, dict(empty), inapplicable=inapplicable)
    unknown = Observed(gaps=_unknown_cells(inputs, declared))
    whole = with_defaults(module.VIEW.parameters, given)
    made = attempt(lambda: tabulate(name, columns, unknown if unknown.gaps else module.compute(**inputs, **whole)))
    if isinstance(made, CannotLook):
        hint = f" {HINT}" if isinstance(made, Mistake) else ""
        return Fact(name, dict(empty), [Gap.of(made, says=f"the view {name} could not be computed: {made}{hint}")])
    lacking = (gap for word, fact in inputs.items() if not declared[word].tells for gap in fact.gaps)
    made.gaps = distinct([*lacking, *made.gaps])
    made.collected_at = max((fact.collected_at for fact in inputs.values()), default="")
    return made


def _unknown_cells(inputs: Mapping[str, Fact], declared: Mapping[str, Input]) -> list[Gap]:
    """A gap for each column that a view needs and that has cells nobody knows."""
    return [
        Gap(f"{column} of {lacking} of {len(fact)} rows of {fact.source} is not known")
        for word, fact in inputs.items()
        for column in declared[word].needs
        if (lacking := fact.columns[column].count(None))
    ]


def facts_without_asking(ask: FactQuestion, target: Target, now: dt.datetime | None = None) -> dict[str, Fact] | None:
    """The facts of an ask that is not put to anybody; None if it is.

    Args:
        ask: the question.
        target: the environment.
        now: what is not observed until an earlier day should be by then; None: now.
    """
    if ask.connection not in target.connections:
        return unreachable(ask, target, now)
    if why := target.environment.absent.get(ask.probe):
        return _at_each_look(ask, blank(ask, inapplicable=f"{target.name} does not show {ask.probe}: {why}"))
    if declared := target.environment.unobserved.get(ask.probe):
        return _at_each_look(ask, blank(ask, _not_observed(target.name, ask.probe, declared, now)))
    if not target.environment.active and _proof(ask) == "active":
        reason = f"not tried: {ask.probe} does what must fail, such as a login; active: true of {target.name} allows it"
        return _at_each_look(ask, blank(ask, Gap(reason, kind=GapKind.NOT_ALLOWED)))
    return None


def _at_each_look(ask: FactQuestion, fact: Fact) -> dict[str, Fact]:
    return {"": fact, BEFORE: fact} if ask.looks else {"": fact}


def _not_observed(name: str, what: str, declared: Unobserved, now: dt.datetime | None) -> Gap:
    """The gap of what nobody looks at by declaration; one that has ended is as if nothing were said."""
    if declared.ended(now or dt.datetime.now(dt.UTC)):
        until = f"{name} was to do without {what} until {declared.until} ({declared.owner}: {declared.because})"
        return Gap(f"{until}, and still does not observe it", kind=GapKind.NOT_CONFIGURED, connection=what)
    says = f"{name} does not observe {what.replace('_', ' ')}: {declared.says}"
    return Gap(says, kind=GapKind.UNOBSERVED, connection=what)


def _proof(ask: FactQuestion) -> str:
    known = ask.probe in catalog("probes")
    return str(catalog("probes").load(ask.probe).PROBE.proof) if known else ""


def settings_of(target: Target, kind: str) -> dict[str, Any]:
    """The settings of a connection, with those of connections that it builds on, and what its environment allows it."""
    module = catalog("connections").load(kind)
    base = getattr(module, "BUILDS_ON", ())
    allowed = {field: getattr(target.environment, field) for field in getattr(module, "OF_THE_ENVIRONMENT", ())}
    given = target.connections[kind] | {row: target.connections[row] for row in base if row in target.connections}
    return given | allowed


def unreachable(ask: FactQuestion, target: Target, now: dt.datetime | None = None) -> dict[str, Fact]:
    """The facts of an ask for which the inventory has no connection.

    A probe that several kinds of connection can answer does not apply only where all of them are declared absent, but
    for those that tell nothing without a setting. It is not observed where one of them is not, and the others are
    absent or not observed.
    """
    kinds, needs = kinds_of(ask)
    absent, unobserved = target.environment.absent, target.environment.not_observed()
    plain = [kind for kind in kinds if kind not in needs]
    shown = " or ".join(kind.replace("_", " ") for kind in plain)
    if declared := target.environment.unobserved.get(ask.probe):
        return _at_each_look(ask, blank(ask, _not_observed(target.name, ask.probe, declared, now)))
    if all(kind in absent or kind in unobserved for kind in plain):
        if (kind := next((kind for kind in plain if kind in unobserved), None)) is not None:
            gap = _not_observed(target.name, kind, unobserved[kind], now)
            return _at_each_look(ask, blank(ask, gap))
        why = "; ".join(dict.fromkeys(absent[kind] for kind in plain))
        return _at_each_look(ask, blank(ask, inapplicable=f"{target.name} has no {shown}: {why}"))
    more = "".join(f", no `{setting}:` of {kind.replace('_', ' ')}" for kind, setting in needs.items())
    said = f"the inventory gives no {shown} connection{more} for {target.name}, nor declares it absent"
    return _at_each_look(ask, blank(ask, Gap(said, kind=GapKind.NOT_CONFIGURED)))


def kinds_of(ask: FactQuestion) -> tuple[tuple[str, ...], dict[str, str]]:
    """The kinds of connection that can answer an ask, and the settings that some of them need for it.

    It is the one that the ask names, if its probe is not known here.
    """
    if ask.probe not in catalog("probes"):
        return (ask.connection,), {}
    probe: Probe = catalog("probes").load(ask.probe).PROBE
    return probe.connections, probe.needs


def stored(ask: FactQuestion, kept: Mapping[str, Fact]) -> dict[str, Fact]:
    """The facts of a bundle as their probe declares them today; what does not fit is not known."""
    facts: dict[str, Fact] = {}
    for look in ("", BEFORE) if ask.looks else ("",):
        fact = kept.get(look)
        if fact is None or ask.probe not in catalog("probes"):
            said = f"the bundle does not hold a fact of {ask} that can be judged"
            facts[look] = blank(ask, Gap(said, kind=GapKind.NOT_KEPT))
            continue
        made = attempt(partial(conform, fact, catalog("probes").load(ask.probe).PROBE.columns))
        facts[look] = blank(ask, Gap.of(made)) if isinstance(made, CannotLook) else made
    return facts


def joined(facts: Sequence[Fact]) -> Fact:
    """One fact of what several kinds of connection told of one environment; one that does not apply adds nothing."""
    applying = [fact for fact in facts if not fact.inapplicable] or facts[:1]
    return Fact(
        source=facts[0].source,
        columns={name: [cell for fact in applying for cell in fact.columns[name]] for name in facts[0].columns},
        gaps=distinct([gap for fact in applying for gap in fact.gaps]),
        inapplicable=applying[0].inapplicable,
        collected_at=max(fact.collected_at for fact in applying),
    )


def together(asks: Sequence[FactQuestion], facts: Sequence[Fact]) -> Fact:
    """One fact of several environments, with a column that says whose each row is."""
    names = facts[0].columns
    whose: list[Any] = [ask.environment for ask, fact in zip(asks, facts, strict=True) for _ in range(len(fact))]
    return Fact(
        source=facts[0].source,
        columns={FLEET.name: whose} | {name: [cell for fact in facts for cell in fact.columns[name]] for name in names},
        gaps=[
            replace(gap, reason=f"{ask.environment}: {gap.reason}", keys={**gap.keys, "environment": ask.environment})
            for ask, fact in zip(asks, facts, strict=True)
            for gap in fact.gaps
        ],
        inapplicable=facts[0].inapplicable if all(fact.inapplicable for fact in facts) else "",
        collected_at=max(fact.collected_at for fact in facts),
    )

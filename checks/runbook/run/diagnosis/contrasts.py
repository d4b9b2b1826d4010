"""What tells the offending rows of a check that no cause explains from those that are well, over all that was seen."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from runbook.judge.compiled import Compiled
from runbook.judge.contrast import JoinedTrait, Trait, contrast
from runbook.judge.sides import sides
from runbook.model.column import Column
from runbook.model.diagnosis import Contrast
from runbook.model.fact import Fact
from runbook.model.result import Outcome, Result
from runbook.plugins.catalog import catalog
from runbook.run.collection.collected_facts import CollectedFacts
from runbook.run.planning.plan import Judgement

# What only says where a row stands, or is of all alike.
_TELLS_NOTHING = frozenset({"partition", "cluster", "environment"})
_LEAST = 2  # offending rows: what one has is in that row
_WORDS = {
    "leader": "led by broker",
    "out_of_sync": "out of sync on broker",
    "replicas": "with a replica on broker",
}
_Others = Sequence[tuple[Sequence[Column], Fact]]


class Contrasts:
    """Contrasts of checks over the same facts."""

    def __init__(self, environment: str, collected: CollectedFacts, now: str) -> None:
        """Look into what was collected of an environment."""
        self._environment = environment
        self._collected = collected
        self._now = now

    def of(self, judgement: Judgement, result: Result) -> list[Contrast]:
        """What tells the rows of a failing check apart; nothing where nothing does."""
        if judgement.subject_kind == "fleet" or result.outcome is not Outcome.FAIL or result.failed < _LEAST:
            return []
        compiled, facts = judgement.compiled, self._collected.of(judgement)
        bad, well = sides(compiled, facts, judgement.context(self._now))
        excused = {repr(row.key) for row in result.rows if row.waived}
        fact = facts[compiled.subject]
        if excused:
            bad = [row for row in bad if repr(_key(compiled, fact, row)) not in excused]
        # Of a link nobody knows which end another fact would have to be of.
        others = self._others if judgement.subject_kind == "environment" else []
        return contrast(_traits(compiled, fact, others), bad, well) if bad and well else []

    @cached_property
    def _others(self) -> _Others:
        """The facts that were asked for without parameters, with their columns."""
        return [
            (catalog("probes").load(ask.probe).PROBE.columns, looks[""])
            for ask, looks in self._collected.facts.items()
            if ask.environment == self._environment and ask.given == "{}" and "" in looks and len(looks[""])
        ]


def _traits(compiled: Compiled, fact: Fact, others: _Others) -> Iterator[Trait]:
    """The columns by which rows of a check's fact may differ, with what other facts say of them."""
    read = {name.partition(".")[2] for name in (compiled.that.used if compiled.that else ())}
    whys = {column.why for column in compiled.columns}
    for column in compiled.columns:
        single = bool(column.entity) and "[" not in column.type
        # What a check reads is what it complains of, unless it names one thing, well or not.
        if not _differs(column) or column.name in whys or (column.name in read and not single):
            continue
        joined = _said_of(column, fact.source, others) if single else []
        yield Trait(_words(column), fact.columns[column.name], column.entity or "", joined)
    yield from _joined_rows(compiled, fact, others)


def _said_of(base: Column, but: str, others: _Others) -> list[JoinedTrait]:
    """What other facts say of the values of a column: those that have a row for each of its entity."""
    whose = "" if base.key else f"{_spaced(base.name)}'s "
    return [
        JoinedTrait(f"{whose}{_words(column)}", dict(zip(other.columns[key.name], cells, strict=True)))
        for columns, other in others
        if other.source != but
        for key, *more in [[column for column in columns if column.key]]
        if not more and key.entity == base.entity
        for column in columns
        if not column.key and _differs(column) and "[" not in column.type
        for cells in [other.columns[column.name]]
    ]


def _joined_rows(compiled: Compiled, fact: Fact, others: _Others) -> Iterator[Trait]:
    """What other facts name for the rows themselves, such as the leader of a partition."""
    keys = {column.name for column in compiled.columns if column.key}
    for columns, other in others:
        theirs = [column.name for column in columns if column.key]
        if other.source == fact.source or not theirs[1:] or not keys.issuperset(theirs):
            continue  # of a key of one column `_said_of` tells
        places = {key: row for row, key in enumerate(zip(*map(other.columns.get, theirs), strict=True))}
        order = [places.get(key) for key in zip(*map(fact.columns.get, theirs), strict=True)]
        for column in columns:
            if not column.key and column.entity and _differs(column):
                cells = other.columns[column.name]
                yield Trait(_words(column), [None if row is None else cells[row] for row in order], column.entity)


def _key(compiled: Compiled, fact: Fact, row: int) -> Mapping[str, Any]:
    return {column.name: fact.columns[column.name][row] for column in compiled.columns if column.key}


def _differs(column: Column) -> bool:
    """Whether rows may be told apart by a column: not by measures, moments and texts."""
    if column.moves or column.entity in _TELLS_NOTHING:
        return False
    # A number that names nothing is a count or a measure, unless it is a setting.
    number_says = bool(column.entity or column.setting) or column.name.replace("_", ".") in column.help
    return column.type in ("string", "bool", "list[string]") or ("int" in column.type and number_says)


def _spaced(name: str) -> str:
    return name.replace("_", " ")


def _words(column: Column) -> str:
    """What stands before a value of a column."""
    if column.name in _WORDS:
        return _WORDS[column.name]
    entity = _spaced(column.entity or "")
    if column.key and entity:
        return entity
    name = _spaced(column.name)
    return name if not entity or entity in name or name in entity else f"{name} {entity}"

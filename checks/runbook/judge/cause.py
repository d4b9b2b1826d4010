"""Causes and effects made ready, and told of facts. Pure, as judging is.

What a cause looks at is compiled as a check is: its condition is an expectation whose rows are findings.
"""

from collections.abc import Mapping, Sequence
from itertools import compress
from typing import Any

from msgspec import Struct

from runbook.judge.compiled import Compiled, compile_what_can_be
from runbook.judge.expression import Expression, Undecided, Variables
from runbook.judge.in_force import settings_in, without_what_is_in_force
from runbook.judge.judge import Context
from runbook.judge.scope import Problems, constants, row_variables
from runbook.judge.sound_expressions import SoundExpressions
from runbook.judge.table import Table, rows_of
from runbook.judge.template import Room, Template, compile_template
from runbook.judge.undone import CompiledUndone, compile_undone
from runbook.model.block import Cause, Check, Effect, Expectation, Statement
from runbook.model.diagnosis import LabelledSentence
from runbook.model.errors import Invalid, did_you_mean
from runbook.model.fact import Fact
from runbook.model.sentence import shown
from runbook.parse.runbook import LocatedBlock
from runbook.parse.yaml_document import Path

ROWS = "rows"
"""In templates of a cause: how many rows its finding has."""


class CompiledCause(Struct, frozen=True):
    """A cause whose expressions and sentences are compiled.

    Attributes:
        placed: the block and where it stands.
        cause: the block.
        compiled: its condition, as a check.
        says, first, avoid, proof: its sentences.
        words: what it knows of the words of its procedure.
        undone: its recoveries, and what each is given.
    """

    placed: LocatedBlock
    cause: Cause
    compiled: Compiled
    says: Template
    first: Template
    avoid: Template
    proof: tuple[Template, ...]
    words: dict[str, Template]
    undone: list[CompiledUndone]


class CompiledEffect(Struct, frozen=True):
    """An effect whose sentences are compiled: for each statement its template and its condition."""

    placed: LocatedBlock
    effect: Effect
    compiled: Compiled
    says: tuple[Template, ...]
    where: tuple[Expression | None, ...]


class Finding(Struct, frozen=True):
    """A group of rows of which a cause holds, or may hold.

    Attributes:
        keys: the columns by which it is grouped, and its values.
        certain: whether the condition is true of one of them; else it could not be decided.
        rows: how many.
        given: what each of its recoveries is given: parameter → values.
        says, first, avoid, proof: its sentences.
        words: the words of its procedure that are known, by word.
        doubt: why it is not certain.
    """

    keys: dict[str, Any]
    certain: bool
    rows: int
    given: list[dict[str, list[Any]]]
    says: str
    first: str
    avoid: str
    proof: list[str]
    words: dict[str, str]
    doubt: str = ""


class CauseFindings(Struct, frozen=True):
    """What a cause found: findings, why there may be more that could not be seen, "" if all could, and how many more.

    Those more were seen, and are not written out.
    """

    findings: list[Finding]
    unseen: str = ""
    more: int = 0


def compile_cause(placed: LocatedBlock, sound: SoundExpressions | None = None) -> CompiledCause:
    """Compile a cause; its expressions that are known to be sound when they are judged.

    Raises:
        Invalid: names, types, expressions or its recovery are wrong; with every problem.
    """
    cause = placed.block
    assert isinstance(cause, Cause)
    holds = cause.holds
    expect = Expectation(each=holds.each, that=holds.that, where=holds.where, join=holds.join)
    problems = Problems(placed, {"expect": "holds"}, sound)
    compiled = compile_what_can_be(placed, _as_check(cause, expect), problems)
    hidden = compiled.sources.hides
    variables = Variables(_scope(compiled), sound)
    names = {column.name for column in compiled.columns}
    for i, name in enumerate(holds.by):
        if name not in names and compiled.subject not in compiled.sources.nameless:
            problems.add(("holds", "by", i), f'no column "{name}"', did_you_mean(name, sorted(names)))
    undone = compile_undone(cause, compiled, variables, problems)

    def sentence(path: Path, text: str, *, pasted: bool = False) -> Template:
        made = compile_template(text, variables, pasted=pasted)
        if isinstance(made, list):
            problems.add_mistakes(path, text, [mistake for mistake in made if not hidden(mistake.name)])
            return Template("", [])
        return made

    made = CompiledCause(
        placed=placed,
        cause=cause,
        compiled=compiled,
        says=sentence(("says",), cause.says),
        first=sentence(("first",), cause.first, pasted=True),
        avoid=sentence(("avoid",), cause.avoid),
        proof=tuple(sentence(("proof", i), text) for i, text in enumerate(cause.proof)),
        words={word: sentence(("words", word), text) for word, text in cause.words.items()},
        undone=undone,
    )
    if problems.found or placed.source.lost:
        raise Invalid(problems.found)
    return made


def compile_effect(placed: LocatedBlock, sound: SoundExpressions | None = None) -> CompiledEffect:
    """Compile an effect; its expressions that are known to be sound when they are judged.

    Raises:
        Invalid: names, types or expressions are wrong; with every problem.
    """
    effect = placed.block
    assert isinstance(effect, Effect)
    # It judges nothing: any fact will do for an expectation that is never asked.
    check = _as_check(effect, Expectation(each=effect.tells[0].each, that="true"))
    problems = Problems(placed, {"expect": "tells"}, sound)
    compiled = compile_what_can_be(placed, check, problems)
    says, where = [], []
    for i, statement in enumerate(effect.tells):
        columns = compiled.sources.columns.get(statement.each)
        if columns is None and statement.each in compiled.sources.nameless:
            continue
        if columns is None:
            known = [*compiled.sources.columns]
            problems.add(("tells", i, "each"), f'no fact "{statement.each}"', did_you_mean(statement.each, known))
            continue
        variables = Variables(constants(check) | row_variables(statement.each, columns), sound)
        template = compile_template(statement.says, variables)
        if isinstance(template, list):
            problems.add_mistakes(("tells", i, "says"), statement.says, template)
            continue
        condition = variables.compile(statement.where) if statement.where else None
        if isinstance(condition, list):
            problems.add_mistakes(("tells", i, "where"), statement.where or "", condition)
            continue
        says.append(template)
        where.append(condition)
    if problems.found or placed.source.lost:
        raise Invalid(problems.found)
    return CompiledEffect(placed, effect, compiled, tuple(says), tuple(where))


def look_for(
    cause: CompiledCause, facts: Mapping[str, Fact], context: Context, most: int | None = None
) -> CauseFindings:
    """Find the rows of which a cause holds.

    Args:
        cause: the cause.
        facts: every fact and view it names.
        context: the environment's side.
        most: findings to write out, those that are certain first; None: all, in the order of their rows.
    """
    compiled = cause.compiled
    read = [facts[name] for name in (compiled.subject, *compiled.joins)]
    if any(fact.inapplicable for fact in read):
        return CauseFindings([])
    table = rows_of(compiled, facts)
    groups: dict[tuple[Any, ...], _Group] = {}
    for row, doubt in _rows_that_hold(compiled, table, context):
        key = tuple(facts[compiled.subject].columns[name][row] for name in cause.cause.holds.by)
        groups.setdefault(tuple(map(_hashable, key)), _Group({}, [], [])).add(
            dict(zip(cause.cause.holds.by, key, strict=True)), row, doubt
        )
    room = Room()
    written = [*groups.values()] if most is None else sorted(groups.values(), key=lambda one: not one.holds)[:most]
    found = [_finding(cause, group, table, context, room) for group in written]
    return CauseFindings(found, shown(*(gap.reason for gap in table.gaps)), len(groups) - len(found))


def tell(effect: CompiledEffect, facts: Mapping[str, Fact], context: Context) -> list[LabelledSentence]:
    """What an effect says of facts; nothing of a fact that does not apply."""
    room = Room()
    sentences: list[LabelledSentence] = []
    for statement, template, where in zip(effect.effect.tells, effect.says, effect.where, strict=True):
        fact = facts[statement.each]
        if not fact.inapplicable:
            sentences += [
                LabelledSentence(statement.label, text)
                for text in _sentences(statement, template, where, fact, context, room)
            ]
    return sentences


def _sentences(
    statement: Statement, template: Template, where: Expression | None, fact: Fact, context: Context, room: Room
) -> list[str]:
    constants_, count = context.constants(), len(fact)
    cells = {f"{statement.each}.{name}": column for name, column in fact.columns.items()}
    chosen = [True] * count if where is None else where.each(cells, constants_, count)
    return [
        template.fill(constants_ | {name: column[row] for name, column in cells.items()}, room)
        for row in compress(range(count), chosen)
    ]


class _Group(Struct):
    """The rows of a finding: those of which the condition is true, and why it is not known of others."""

    keys: dict[str, Any]
    holds: list[int]
    doubts: list[tuple[int, str]]

    def add(self, keys: dict[str, Any], row: int, doubt: str) -> None:
        self.keys = keys
        if doubt:
            self.doubts.append((row, doubt))
        else:
            self.holds.append(row)


def _rows_that_hold(compiled: Compiled, table: Table, context: Context) -> list[tuple[int, str]]:
    """The rows where the condition is true, with no reason, or undecided, with the reason why."""
    constants_ = context.constants()
    chosen: Sequence[Any] = [True] * table.count
    if compiled.where is not None:
        chosen = compiled.where.each(table.cells, constants_, table.count)
    assert compiled.that is not None
    found = []
    for row, answer in enumerate(compiled.that.each(table.cells, constants_, table.count, chosen)):
        if answer is False or chosen[row] is False:
            continue
        doubt = next((undecided.reason for undecided in (chosen[row], answer) if isinstance(undecided, Undecided)), "")
        hole = table.holes.get(row)
        found.append((row, hole.says if hole else doubt))
    return found


def _finding(cause: CompiledCause, group: _Group, table: Table, context: Context, room: Room) -> Finding:
    rows = group.holds or [row for row, _ in group.doubts]
    data = context.constants() | {name: cells[rows[0]] for name, cells in table.cells.items()} | {ROWS: len(rows)}
    return Finding(
        keys=group.keys,
        certain=bool(group.holds),
        rows=len(rows),
        given=[
            {name: _given(table, value, rows, data) for name, value in undone.given.items()} for undone in cause.undone
        ],
        says=cause.says.fill(data, room),
        first=without_what_is_in_force(
            cause.first.fill(data, room), settings_in(table.cells, cause.compiled.sources.columns, rows[:1])
        ),
        avoid=cause.avoid.fill(data, room),
        # A sentence with a value that is not known proves nothing; a condition of its own may leave it empty, too.
        proof=[text for one in cause.proof if (text := one.fill_if_known(data, table.cells, room))],
        words={word: text for word, one in cause.words.items() if (text := one.fill_if_known(data, table.cells, room))},
        doubt="" if group.holds else group.doubts[0][1],
    )


def _given(table: Table, value: Any, rows: Sequence[int], data: Mapping[str, Any]) -> list[Any]:
    """What a value under `with:` stands for: cells, something that all rows share, or itself."""
    if isinstance(value, str) and value in table.cells:
        return _values(table, value, rows)
    return [data[value] if isinstance(value, str) and value in data else value]


def _values(table: Table, name: str, rows: Sequence[int]) -> list[Any]:
    """The cells of a column in these rows, each once; those of lists one by one."""
    cells = [table.cells[name][row] for row in rows]
    flat = [value for cell in cells for value in (cell if isinstance(cell, list) else [cell])]
    return list(dict.fromkeys(value for value in flat if value is not None))


def _hashable(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _as_check(block: Cause | Effect, expect: Expectation) -> Check:
    """The block as a check that looks at the same facts."""
    return Check(
        id=block.id,
        title=block.title,
        severity="info",
        facts=block.facts,
        views=block.views,
        params=block.params if isinstance(block, Cause) else {},
        over=block.over if isinstance(block, Cause) else "environment",
        expect=expect,
    )


def _scope(compiled: Compiled) -> dict[str, str]:
    scope = constants(compiled.check) | row_variables(compiled.subject, compiled.columns) | {ROWS: "int"}
    for name in compiled.joins:
        scope |= row_variables(name, compiled.sources.columns[name])
    return scope

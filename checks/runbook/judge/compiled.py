"""A check made ready to judge: its expressions compiled against the columns of its facts."""

from typing import Literal

from msgspec import Struct, structs

from runbook.judge.effect_words import names_of, strange_names
from runbook.judge.expression import Expression, Variables
from runbook.judge.scope import (
    Problems,
    Sources,
    constants,
    join_columns,
    row_variables,
    sources,
    whole_variables,
)
from runbook.judge.sound_expressions import SoundExpressions
from runbook.judge.template import Template, compile_template
from runbook.model.block import Check, Expectation
from runbook.model.column import Column
from runbook.model.errors import Invalid, did_you_mean
from runbook.parse.runbook import LocatedBlock
from runbook.parse.yaml_document import Path

Mode = Literal["each", "all", "same", "window"]
MODES: tuple[Mode, ...] = ("each", "all", "same", "window")
# What refines each mode; anything else would be read and not heeded.
_REFINES: dict[Mode, frozenset[str]] = {
    "each": frozenset({"where", "join", "that", "touches", "scope", "message"}),
    "window": frozenset({"where", "join", "that", "touches", "message"}),
    "same": frozenset({"where", "by", "value", "touches", "message"}),
    "all": frozenset({"that", "message"}),
}


class Compiled(Struct, frozen=True):
    """A check whose expressions are compiled.

    Attributes:
        placed: the check and where it stands.
        check: the block itself.
        mode: which of each, all, same, window it uses.
        subject: name of the fact it is about.
        columns: the columns of that fact.
        joins: joined fact -> {column of the row: key column of the joined fact}.
        applies: the expression under `applies`.
    """

    placed: LocatedBlock
    check: Check
    mode: Mode
    subject: str
    sources: Sources
    columns: tuple[Column, ...]
    joins: dict[str, dict[str, str]]
    where: Expression | None
    that: Expression | None
    message: Template | None
    applies: Expression | None


def compile_check(placed: LocatedBlock, sound: SoundExpressions | None = None) -> Compiled:
    """Compile one check; its expressions that are known to be sound when they are judged.

    Raises:
        Invalid: names, types or expressions are wrong; with every problem.
    """
    check = placed.block
    assert isinstance(check, Check)
    problems = Problems(placed, sound=sound)
    compiled = compile_what_can_be(placed, check, problems)
    if problems.found or placed.source.lost:
        raise Invalid(problems.found)
    return compiled


def compile_what_can_be(placed: LocatedBlock, check: Check, problems: Problems) -> Compiled:
    """Compile what a block of any kind looks at and expects, given as a check, noting every mistake.

    Names behind a mistake, such as the columns of a probe that there is not, are no mistakes of their own.

    Returns:
        What is right of it.

    Raises:
        Invalid: it does not say what it is about.
    """
    known = sources(check, problems)
    mode = _mode(check.expect, problems)
    _parameters(check, problems)
    subject = getattr(check.expect, mode) if mode else None
    if mode is None or subject is None:
        raise Invalid(problems.found)
    if subject not in known.columns and subject not in known.nameless:
        problems.add(("expect", mode), f'no fact "{subject}"', did_you_mean(subject, known.names()))
        known = structs.replace(known, nameless=known.nameless | {subject, *known.columns})
    if mode == "window" and subject in known.columns:
        _two_looks(check, subject, known, problems)
    if mode == "window" and subject in known.nameless:
        known = structs.replace(known, nameless=known.nameless | {"before", "after"})
    return _compile(placed, check, mode, subject, known, problems)


def _compile(
    placed: LocatedBlock, check: Check, mode: Mode, subject: str, known: Sources, problems: Problems
) -> Compiled:
    expect = check.expect
    columns = known.columns.get(subject, ())
    joins = dict(join_columns(expect, known, problems)) if mode in ("each", "window") else {}
    variables = Variables(constants(check) | _scope(mode, subject, known, joins), problems.sound)
    names = {column.name for column in columns}
    for field in () if subject in known.nameless else ("by", "value", "touches", "scope"):
        for i, name in enumerate(getattr(expect, field)):
            if name not in names:
                problems.add(("expect", field, i), f'no column "{name}"', did_you_mean(name, sorted(names)))

    def expression(path: Path, text: str | None, scope: Variables = variables) -> Expression | None:
        found = scope.compile(text) if text else None
        if isinstance(found, list):
            problems.add_mistakes(path, text or "", [mistake for mistake in found if not known.hides(mistake.name)])
            return None
        return found

    message = compile_template(expect.message, variables) if expect.message else None
    if isinstance(message, list):
        shown = [mistake for mistake in message if not known.hides(mistake.name)]
        problems.add_mistakes(("expect", "message"), expect.message, shown)
        message = None
    for name in strange_names(check):
        problems.add(("effect",), f'nothing stands for "{{{name}}}"', did_you_mean(name, names_of(check)))
    applies = None
    if check.applies and check.applies.each in known.columns:
        types = constants(check) | row_variables(check.applies.each, known.columns[check.applies.each])
        scope = Variables(types, problems.sound)
        applies = expression(("applies", "that"), check.applies.that, scope)
    elif check.applies and check.applies.each not in known.nameless:
        name = check.applies.each
        problems.add(("applies", "each"), f'no fact "{name}"', did_you_mean(name, known.names()))
    return Compiled(
        placed=placed,
        check=check,
        mode=mode,
        subject=subject,
        sources=known,
        columns=columns,
        joins=joins,
        where=expression(("expect", "where"), expect.where if "where" in _REFINES[mode] else None),
        that=expression(("expect", "that"), expect.that),
        message=message,
        applies=applies,
    )


def _scope(mode: Mode, subject: str, known: Sources, joins: dict[str, dict[str, str]]) -> dict[str, str]:
    if mode == "all":
        scope: dict[str, str] = {}
        for name, columns in known.columns.items():
            scope |= whole_variables(name, columns)
        return scope
    columns = known.columns.get(subject, ())
    scope = row_variables(subject, columns)
    if mode == "window":
        scope = row_variables("before", columns) | row_variables("after", columns)
    for name in joins:
        scope |= row_variables(name, known.columns[name])
    return scope


def _mode(expect: Expectation, problems: Problems) -> Mode | None:
    used = [mode for mode in MODES if getattr(expect, mode)]
    if len(used) != 1:
        said = f"{' and '.join(used)} are given" if used else "none is given"
        path: Path = ("expect", *(used[1:2] or MODES[:1]))  # none of them is there where one is a mistake of its own
        problems.add(path, f"exactly one of each, all, same and window is needed, {said}", "keep one of them")
    if not used:
        return None
    mode = used[0]
    for name in expect.__struct_fields__:
        if name not in {*MODES, *_REFINES[mode]} and getattr(expect, name):
            remedy = f"with {mode} go: {', '.join(sorted(_REFINES[mode]))}"
            problems.add(("expect", name), f"{name} has no meaning with {mode}", remedy)
    if mode == "same" and not (expect.by and expect.value):
        problems.add(("expect", "by"), "same needs by: and value:", "name the columns to group by and those to compare")
    if mode != "same" and not expect.that:
        problems.add(("expect", "that"), f"{mode} needs that:", "write the expression that must be true")
    return mode


def _two_looks(check: Check, subject: str, known: Sources, problems: Problems) -> None:
    path: Path = ("expect", "window")
    request = check.facts.get(subject)
    if request is None:
        problems.add(path, f'"{subject}" is a view: only facts can be looked at twice', "compare two looks of a fact")
    elif not request.looks:
        problems.add(path, f'"{subject}" is looked at once', f"give it looks: {subject}: {{probe: …, looks: 5s}}")
    if not any(column.key for column in known.columns[subject]):
        problems.add(path, f'"{subject}" has no key columns by which to find a row again', "use each or all")


def _parameters(check: Check, problems: Problems) -> None:
    for name, parameter in check.params.items():
        fault = parameter.fault(parameter.default)
        if fault and f"params.{name}" not in problems.lost_names():
            problems.add(("params", name, "default"), fault, "give a default of the declared type, within its bounds")

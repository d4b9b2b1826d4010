"""A check made ready to judge: its expressions compiled against the columns of its facts."""

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

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
from runbook.judge.template import Template, compile_template
from runbook.model.block import Check, Expectation
from runbook.model.column import Column
from runbook.model.errors import Invalid, did_you_mean
from runbook.parse.runbook import Placed
from runbook.parse.yaml_document import Path

Mode = Literal["each", "all", "same", "window"]
MODES: tuple[Mode, ...] = ("each", "all", "same", "window")
# What refines each mode; anything else would be read and not heeded.
_REFINES: dict[Mode, frozenset[str]] = {
    "each": frozenset({"where", "join", "that", "touches", "message"}),
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

    placed: Placed
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


def compile_check(placed: Placed) -> Compiled:
    """Compile one check.

    Raises:
        Invalid: names, types or expressions are wrong; with every problem.
    """
    check = placed.block
    assert isinstance(check, Check)
    return compile_as_check(placed, check, {})


def compile_as_check(placed: Placed, check: Check, called: Mapping[str, str]) -> Compiled:
    """Compile what a block of any kind looks at and expects, given as a check.

    Args:
        placed: the block and where it stands.
        check: what it looks at.
        called: field of a check → what the block calls it.

    Raises:
        Invalid: names, types or expressions are wrong; with every problem.
    """
    problems = Problems(placed, called)
    known = sources(check, problems)
    mode = _mode(check.expect, problems)
    _parameters(check, problems)
    subject = getattr(check.expect, mode) if mode else None
    if mode is None or subject is None or problems.found:
        raise Invalid(problems.found)
    if subject not in known.columns:
        problems.add(("expect", mode), f'no fact "{subject}"', did_you_mean(subject, [*known.columns]))
        raise Invalid(problems.found)
    if mode == "window":
        _two_looks(check, subject, known, problems)
    compiled = _compile(placed, check, mode, subject, known, problems)
    if problems.found:
        raise Invalid(problems.found)
    return compiled


def _compile(placed: Placed, check: Check, mode: Mode, subject: str, known: Sources, problems: Problems) -> Compiled:
    expect = check.expect
    columns = known.columns[subject]
    joins = dict(join_columns(expect, known.columns, problems)) if mode in ("each", "window") else {}
    variables = Variables(constants(check) | _scope(mode, subject, known, joins))
    names = {column.name for column in columns}
    for field in ("by", "value", "touches"):
        for i, name in enumerate(getattr(expect, field)):
            if name not in names:
                problems.add(("expect", field, i), f'no column "{name}"', did_you_mean(name, sorted(names)))

    def expression(path: Path, text: str | None, scope: Variables = variables) -> Expression | None:
        found = scope.compile(text) if text else None
        if isinstance(found, list):
            problems.add_mistakes(path, text or "", found)
            return None
        return found

    message = compile_template(expect.message, variables) if expect.message else None
    if isinstance(message, list):
        problems.add_mistakes(("expect", "message"), expect.message, message)
        message = None
    applies = None
    if check.applies and check.applies.each in known.columns:
        scope = Variables(constants(check) | row_variables(check.applies.each, known.columns[check.applies.each]))
        applies = expression(("applies", "that"), check.applies.that, scope)
    elif check.applies:
        name = check.applies.each
        problems.add(("applies", "each"), f'no fact "{name}"', did_you_mean(name, [*known.columns]))
    return Compiled(
        placed=placed,
        check=check,
        mode=mode,
        subject=subject,
        sources=known,
        columns=columns,
        joins=joins,
        where=expression(("expect", "where"), expect.where),
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
    columns = known.columns[subject]
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
        problems.add(("expect",), f"exactly one of each, all, same and window is needed, {said}", "keep one of them")
        return None
    mode = used[0]
    for name in expect.__struct_fields__:
        if name not in {*MODES, *_REFINES[mode]} and getattr(expect, name):
            remedy = f"with {mode} go: {', '.join(sorted(_REFINES[mode]))}"
            problems.add(("expect", name), f"{name} has no meaning with {mode}", remedy)
    if mode == "same" and not (expect.by and expect.value):
        problems.add(("expect",), "same needs by: and value:", "name the columns to group by and those to compare")
    if mode != "same" and not expect.that:
        problems.add(("expect",), f"{mode} needs that:", "write the expression that must be true")
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
        if fault:
            problems.add(("params", name, "default"), fault, "give a default of the declared type, within its bounds")

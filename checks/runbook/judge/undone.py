"""What facts would be without a cause, made ready: by a recovery that it names, or by rows that it declares.

Both become a `Recovery`. Of rows, `where` and values are CEL over the row as it was seen and over what the cause found,
typed by the columns of their probes, so that a misspelt column is a mistake of the runbook.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from msgspec import Struct, structs

from runbook.judge.compiled import Compiled
from runbook.judge.expression import Expression, Undecided, Variables
from runbook.judge.scope import Problems, constants, row_variables
from runbook.model import moment
from runbook.model.block import Cause
from runbook.model.column import Column, fits
from runbook.model.errors import did_you_mean, near_names
from runbook.model.fact import Fact
from runbook.model.field_types import Site
from runbook.model.recovery import Change, Recovery, Situation, changed
from runbook.model.undone import RowsUndone, Undone
from runbook.parse.yaml_document import Path
from runbook.plugins.catalog import catalog

ROW: Final = "row"
"""What expressions under `rows` call the row that is set."""
_SETTLED: Final = "set one, drop them, or leave them out"


class CompiledUndone(Struct, frozen=True):
    """A recovery of a cause, and what it is given.

    Attributes:
        recovery: what facts would be.
        given: parameter → the name of what is found, or a value of the runbook.
        at: over a link, the end whose facts it sets.
    """

    recovery: Recovery
    given: Mapping[str, Any]
    at: Site | None = None


def compile_undone(cause: Cause, compiled: Compiled, named: Variables, problems: Problems) -> list[CompiledUndone]:
    """Compile what undoes a cause, noting what is wrong with it.

    Args:
        cause: the block.
        compiled: its condition.
        named: what may stand under `with:`.
        problems: where mistakes are noted.
    """
    made = []
    for i, undone in enumerate(cause.recoveries):
        path: Path = ("undone", i) if isinstance(cause.undone, list) else ("undone",)
        if (undone.at is not None) != (cause.over == "link"):
            message = f"{undone.recovery or 'rows'} and over: {cause.over} do not go together"
            problems.add(path, message, "at: source or target goes with over: link, and each recovery of it needs it")
        if undone.recovery is None:
            made.append(_declared(undone, path, compiled, problems))
        elif undone.rows or undone.unknown:
            field = "rows" if undone.rows else "unknown"
            remedy = "keep one of them; in an {.amend}, null takes the other away"
            problems.add((*path, field), f"{field} and recovery do not go together", remedy)
        elif (recovery := _recovery(undone, path, named, problems, compiled.sources.hides)) is not None:
            made.append(CompiledUndone(recovery, undone.with_, undone.at))
    return made


def _recovery(
    undone: Undone, path: Path, variables: Variables, problems: Problems, hidden: Callable[[str], bool]
) -> Recovery | None:
    name, given = str(undone.recovery), undone.with_
    known = catalog("recoveries")
    if name not in known:
        problems.add(
            (*path, "recovery"), f'no recovery "{name}"', known.left_out(name) or _instead_of(name, known.names())
        )
        return None
    recovery: Recovery = known.load(name).RECOVERY
    for word in recovery.takes:
        if word not in given:
            problems.add(path, f"{name} takes {word}", f"add with: {{{word}: fact.column}}")
    for word, value in given.items():
        place: Path = (*path, "with", word)
        if word not in recovery.takes:
            problems.add(place, f'unknown parameter "{word}"', did_you_mean(word, list(recovery.takes)))
        elif isinstance(value, str) and value not in variables.types and not hidden(value):
            problems.add(place, f'unknown name "{value}"', did_you_mean(value, [*variables.types]))
    return recovery


def _instead_of(name: str, known: Sequence[str]) -> str:
    near = near_names(name, known)
    asked = f"did you mean {' or '.join(near)}? " if near else ""
    rows = "or say under rows: which cells have which values then (runbook list --blocks cause)"
    return f"{asked}known: {', '.join(known)}; {rows}"


def _declared(undone: Undone, path: Path, compiled: Compiled, problems: Problems) -> CompiledUndone:
    """The recovery that `rows` declare."""
    found = _found_variables(compiled)
    if not undone.rows:
        remedy = "as in rows: [{probe: host_clock, where: row.host in clock.host, set: {offset_ms: 0}}]"
        problems.add(path, "it does not say what becomes of facts", remedy)
    if undone.with_:
        problems.add((*path, "with"), "with goes with a recovery", "expressions of rows read fact.column themselves")
    if ROW in compiled.sources.names():
        problems.add((*path, "rows"), f'"{ROW}" is the row that is set, and a fact, too', "rename the fact")
    rows: dict[str, list[_Rows]] = {}
    scopes = _Scopes(compiled, found, problems)
    for i, one in enumerate(undone.rows):
        if (made := scopes.compile(one, (*path, "rows", i))) is not None:
            rows.setdefault(one.probe, []).append(made)
    probes = catalog("probes")
    for i, name in enumerate(undone.unknown):
        if name not in probes:
            problems.add((*path, "unknown", i), f'no probe "{name}"', probes.instead_of(name))
        elif name in rows:
            problems.add((*path, "unknown", i), f"{name} stands under rows, too", "name its columns there")
    read = {name for entries in rows.values() for entry in entries for name in entry.reads}
    recovery = Recovery(
        help="",
        takes=tuple(sorted(read)),
        sets={probe: _change(entries, frozenset(found)) for probe, entries in rows.items()},
        leaves=frozenset(probes.names()) - {*rows, *undone.unknown},
        entity="",
        of="",
        sources=(),
    )
    return CompiledUndone(recovery, {name: name for name in sorted(read)}, undone.at)


def _found_variables(compiled: Compiled) -> dict[str, str]:
    """What the cause found, by name: lists of the cells of its rows. A list is one of all that stands in them."""
    facts = (compiled.subject, *compiled.joins)
    cells = {
        f"{fact}.{column.name}": column.type for fact in facts for column in compiled.sources.columns.get(fact, ())
    }
    return {
        name: kind if kind.startswith("list") else f"list[{kind}]"
        for name, kind in cells.items()
        if not kind.startswith("map")
    }


class _Rows(Struct, frozen=True):
    """One entry of `rows`, compiled.

    Attributes:
        where: which rows; None for all.
        cells: column → its value, or the expression that gives it; None where nobody can tell.
        drop: whether they are gone.
        columns: of the probe, by name.
    """

    where: Expression | None
    cells: Mapping[str, Any]
    drop: bool
    columns: Mapping[str, Column]

    @property
    def reads(self) -> list[str]:
        """The variables that its expressions read, but for those of the row."""
        used = [name for one in (self.where, *self.cells.values()) if isinstance(one, Expression) for name in one.used]
        return [name for name in used if name.partition(".")[0] != ROW]


class _Scopes(Struct, frozen=True):
    """Compiles entries of `rows` of one cause: each has the columns of its own probe."""

    compiled: Compiled
    found: dict[str, str]
    problems: Problems

    def compile(self, one: RowsUndone, path: Path) -> _Rows | None:
        """Compile one entry of `rows`; None where its probe is not there."""
        probes = catalog("probes")
        if one.probe not in probes:
            self.problems.add((*path, "probe"), f'no probe "{one.probe}"', probes.instead_of(one.probe))
            return None
        columns = {column.name: column for column in probes.load(one.probe).PROBE.columns}
        types = constants(self.compiled.check) | self.found | row_variables(ROW, tuple(columns.values()))
        variables = Variables(types, self.problems.sound)
        if one.drop == bool(one.set or one.unknown):
            self.problems.add(
                path, f"rows of {one.probe} are {'gone and set' if one.drop else 'as they are'}", _SETTLED
            )
        where = self._expression((*path, "where"), one.where, variables) if one.where else None
        cells = {
            name: self._cell(columns, name, value, (*path, "set", name), variables) for name, value in one.set.items()
        }
        rest = [name for name, column in columns.items() if not column.key and name not in cells]
        unknown = rest if one.unknown == "all" else one.unknown
        for i, name in enumerate(unknown):
            place = (*path, "unknown", i)
            if self._is_settable(columns, name, place) and name in cells:
                self.problems.add(place, f"{name} is set, too", "keep one of them")
        return _Rows(where, cells | dict.fromkeys(unknown), one.drop, columns)

    def _cell(self, columns: Mapping[str, Column], name: str, value: Any, path: Path, variables: Variables) -> Any:
        if not self._is_settable(columns, name, path):
            return None
        column = columns[name]
        if isinstance(value, str) and value.startswith("{") and value.endswith("}"):
            return self._expression(path, value, variables, gives=column.type)
        if value is None or not fits(column, value):
            remedy = f"write a value of that type, an expression in braces, or unknown: [{name}]"
            self.problems.add(path, f"{value!r} is no {column.type}, as {name} is", remedy)
        return float(value) if column.type == "float" and isinstance(value, int) else value

    def _is_settable(self, columns: Mapping[str, Column], name: str, path: Path) -> bool:
        if name not in columns:
            self.problems.add(path, f'no column "{name}"', did_you_mean(name, [*columns]))
        elif columns[name].key:
            self.problems.add(path, f"{name} names the row", "rows are dropped, or columns set that are no keys")
        return name in columns and not columns[name].key

    def _expression(self, path: Path, text: str, variables: Variables, gives: str = "") -> Expression | None:
        """Compile an expression; one that gives a cell stands in braces."""
        made = variables.compile(text[1:-1] if gives else text, gives=gives)
        if isinstance(made, Expression):
            return made
        hidden = self.compiled.sources.hides
        shown = [
            structs.replace(mistake, column=mistake.column + (bool(gives) and mistake.line == 1))
            for mistake in made
            if not hidden(mistake.name)
        ]
        self.problems.add_mistakes(path, text, shown)
        return None


def _change(entries: Sequence[_Rows], found: frozenset[str]) -> Change:
    """The function that sets rows of one probe's facts; every entry sees them as they were."""

    def change(fact: Fact, situation: Situation) -> Fact:
        given = {name: values if name in found else values[0] for name, values in situation.given.items()}
        seen = {f"{ROW}.{name}": cells for name, cells in fact.columns.items()}
        columns = {name: [*cells] for name, cells in fact.columns.items()}
        stays = [True] * len(fact)
        for entry in entries:
            chosen = [True] * len(fact) if entry.where is None else _chosen(entry.where, seen, given, len(fact))
            sure = [at for at, answer in enumerate(chosen) if answer is True]
            unsure = [at for at, answer in enumerate(chosen) if isinstance(answer, Undecided)]
            for at in sure if entry.drop else ():
                stays[at] = False
            # Whether these are concerned is not known, and so neither is what the cause would leave of them.
            unknown = [name for name, column in entry.columns.items() if not column.key] if entry.drop else entry.cells
            for name in unknown:
                for at in unsure:
                    columns[name][at] = None
            for name, value in entry.cells.items():
                for at, cell in zip(sure, _values(value, entry.columns[name], seen, given, sure), strict=True):
                    columns[name][at] = cell
        if not all(stays):
            columns = {
                name: [cell for cell, stay in zip(cells, stays, strict=True) if stay] for name, cells in columns.items()
            }
        return changed(fact, columns, fact.gaps)

    return change


_SOUGHT: Final = re.compile(r"\s*(row\.\w+) in (\w+\.\w+)\s*(?:&&|$)")
"""A condition of which one part, or all, is that a cell is among what was found."""


def _chosen(where: Expression, seen: Mapping[str, Sequence[Any]], given: Mapping[str, Any], count: int) -> list[Any]:
    """Whether each row is one of those that are meant: True, False or Undecided.

    Where a cell must be among what was found, it is looked up there: CEL would be given all of that for each row, and
    thousands of topics may be found among a hundred thousand partitions.
    """
    sought = _SOUGHT.match(where.text)
    text = where.text
    if sought is None or text.count(sought[2]) > 1 or "||" in text or "?" in text or "timestamp" in str(where.types):
        return list(where.each(seen, given, count))
    cells, among = seen[sought[1]], {*given[sought[2]]}
    there = [at for at, cell in enumerate(cells) if cell is None or cell in among]
    narrow = {name: [seen[name][at] for at in there] for name in where.used if name in seen}
    narrow[sought[2]] = [[] if cell is None else [cell] for cell in narrow[sought[1]]]
    others = {name: value for name, value in given.items() if name != sought[2]}
    chosen: list[Any] = [False] * count
    for at, answer in zip(there, where.each(narrow, others, len(there)), strict=True):
        chosen[at] = answer
    return chosen


def _values(
    value: Any, column: Column, seen: Mapping[str, Sequence[Any]], given: Mapping[str, Any], rows: Sequence[int]
) -> Sequence[Any]:
    """The value of a column for each of these rows."""
    if not isinstance(value, Expression):
        return [value] * len(rows)
    cells = {name: [seen[name][at] for at in rows] for name in value.used if name in seen}
    answers = (None if isinstance(answer, Undecided) else answer for answer in value.each(cells, given, len(rows)))
    if column.type == "timestamp":
        return [None if answer is None else moment.written(answer) for answer in answers]
    return list(answers)

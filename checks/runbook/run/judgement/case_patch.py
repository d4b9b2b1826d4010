"""Patch a recorded fact, so that one recording serves many cases."""

from typing import Any

from msgspec import Struct

from runbook.judge.template import show
from runbook.model.column import Column, fits
from runbook.model.errors import Problem, did_you_mean
from runbook.model.fact import Fact
from runbook.model.old_gaps import from_sentence
from runbook.parse.yaml_document import Document, Path

Cells = dict[str, Any]
_SHOWN = 12  # values of a column that are told; our judgement

NO_ROWS = "there are no rows; add: brings some"
NOT_HELD = "{} does not hold what is asked for now: record it again, by runbook check RUNBOOK --save FILE"


class PatchChange(Struct, frozen=True, forbid_unknown_fields=True):
    """Set cells of some rows.

    Attributes:
        set: column -> its new value; null is a value that nobody knows.
        where: cells that the rows have; empty for all rows.
    """

    set: Cells
    where: Cells = {}


class Patch(Struct, frozen=True, forbid_unknown_fields=True):
    """How a fact differs from the base.

    Attributes:
        rows: these instead of all rows of the base.
        change: cells that are set in some rows.
        remove: rows with these cells are taken away.
        add: rows that come; cells that are not given are those of the first row.
        gaps: reasons why something could not be seen; with them the fact is not complete.
        inapplicable: why the question has no meaning there; empty where it has one.
    """

    rows: list[Cells] | None = None
    change: list[PatchChange] = []
    remove: list[Cells] = []
    add: list[Cells] = []
    gaps: list[str] = []
    inapplicable: str = ""


class CaseProblems:
    """Where in a case file a mistake stands; collects the mistakes."""

    def __init__(self, document: Document, path: Path, problems: list[Problem], base: str = "") -> None:
        """Collect into `problems` what is wrong below `path`; `base` is the bundle's name, if there is one."""
        self._document, self._path, self._problems = document, path, problems
        self.base = base

    def within(self, *path: str | int) -> "CaseProblems":
        """The same, further down."""
        return CaseProblems(self._document, (*self._path, *path), self._problems, self.base)

    def add(self, path: Path, message: str, remedy: str) -> None:
        """Add a mistake."""
        place = self._document.key((*self._path, *path))
        self._problems.append(Problem(place, message, remedy))


def patched(
    fact: Fact, columns: tuple[Column, ...], patch: Patch, case_problems: CaseProblems, lacking: str = NO_ROWS
) -> Fact:
    """The fact with a patch applied; what does not fit its columns is added to the problems, with what it lacks."""
    names = {column.name: column for column in columns}
    for step in ("rows", "remove", "add"):
        for i, cells in enumerate(getattr(patch, step) or ()):
            _check(cells, names, case_problems.within(step, i))
    template = next(fact.rows(), dict.fromkeys(names))
    rows = list(fact.rows()) if patch.rows is None else [dict.fromkeys(names) | cells for cells in patch.rows]
    for i, change in enumerate(patch.change):
        _check(change.set, names, case_problems.within("change", i, "set"))
        sound = _check(change.where, names, case_problems.within("change", i, "where"))
        hit = [row for row in rows if has(row, change.where)]
        if sound and not hit:
            remedy = _there(rows, change.where) if rows else lacking
            case_problems.add(("change", i, "where"), "no row of the base has these cells", remedy)
        for row in hit:
            row.update(change.set)
    rows = [row for row in rows if not any(has(row, cells) for cells in patch.remove)]
    rows += [template | cells for cells in patch.add]
    table = {name: [row.get(name) for row in rows] for name in names}
    gaps = [from_sentence(reason) for reason in patch.gaps] or list(fact.gaps)
    return Fact(fact.source, table, gaps, patch.inapplicable or fact.inapplicable, fact.collected_at)


def _check(cells: Cells, names: dict[str, Column], case_problems: CaseProblems) -> bool:
    """Whether cells fit the columns; a mistake for each that does not."""
    sound = True
    for name, value in cells.items():
        if name not in names:
            case_problems.add((name,), f'no column "{name}"', did_you_mean(name, sorted(names)))
        elif not fits(names[name], value):
            case_problems.add((name,), f"{name}: {value!r} is not of type {names[name].type}", names[name].help)
        else:
            continue
        sound = False
    return sound


def _there(rows: list[Cells], cells: Cells) -> str:
    """What rows have in place of cells that none of them has."""
    for name, value in cells.items():
        values = list(dict.fromkeys(show(row.get(name)) for row in rows))
        if show(value) not in values:
            more = ", …" if len(values) > _SHOWN else ""
            return f"{name} of the rows: {', '.join(values[:_SHOWN])}{more}"
    return "some have one of them, none has all"


def has(row: Cells, cells: Cells) -> bool:
    """Whether a row has all of these cells."""
    return all(row.get(name) == value for name, value in cells.items())

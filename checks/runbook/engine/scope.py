"""What the expressions of a check may read, and where its mistakes are."""

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from runbook.engine.block import Check, Expectation, FactRequest, ViewRequest
from runbook.engine.catalog import catalog
from runbook.engine.column import Column
from runbook.engine.errors import Place, Problem, UsageError
from runbook.engine.expression import Mistake
from runbook.engine.parameter import Parameter
from runbook.engine.runbook import Placed
from runbook.engine.schema import did_you_mean
from runbook.engine.yaml_document import Path

ENVIRONMENT = {"env.name": "string", "env.labels": "map[string]", "env.objectives": "list[string]", "now": "timestamp"}
FLEET = Column("environment", "string", "the environment the row comes from", key=True, entity="environment")

Columns = Mapping[str, tuple[Column, ...]]


class Problems:
    """Collects the problems of one check, each at its place in the runbook."""

    def __init__(self, placed: Placed) -> None:
        """Collect for this block."""
        self.placed = placed
        self.found: list[Problem] = []

    def add(self, path: Path, message: str, remedy: str = "") -> None:
        """Add a problem at a field of the block."""
        place = self.placed.document.place(path)
        self.found.append(Problem(place, f"{message} in {self.placed.name}", remedy))

    def add_mistakes(self, path: Path, text: str, mistakes: list[Mistake]) -> None:
        """Add what is wrong with an expression, pointing into its text."""
        start = self.placed.document.place(path)
        for mistake in mistakes:
            place = Place(start.file, start.line + mistake.line - 1, start.column)
            if mistake.line == 1 and "\n" not in text:
                place = Place(start.file, start.line, start.column + mistake.column - 1)
            line = text.splitlines()[min(mistake.line, text.count("\n") + 1) - 1]
            pointer = " " * (mistake.column - 1) + "^ " + mistake.remedy
            message = f"{mistake.message} in the {'.'.join(map(str, path))} of {self.placed.name}"
            self.found.append(Problem(place, message, f"{line}\n{pointer.rstrip()}"))


class Sources(Struct, frozen=True):
    """The columns of every fact and view of a check, by its name in the check."""

    columns: dict[str, tuple[Column, ...]]
    connections: dict[str, str]


def sources(check: Check, problems: Problems) -> Sources:
    """Look up the probes and views a check names, noting what is wrong with them."""
    columns: dict[str, tuple[Column, ...]] = {}
    connections: dict[str, str] = {}
    for name, request in check.facts.items():
        declared = _declaration("probes", "PROBE", request.probe, ("facts", name, "probe"), problems)
        if declared is None:
            continue
        extra = (FLEET,) if check.over == "fleet" else ()
        columns[name] = (*extra, *declared.columns)
        connections[name] = declared.connection
        _parameters(check, request, declared.parameters, ("facts", name, "with"), problems)
        if (request.at is not None) != (check.over == "link"):
            remedy = "at: source or target goes with over: link, and every fact of such a check needs it"
            problems.add(("facts", name), f'"{name}" and over: {check.over} do not go together', remedy)
    for name, view in check.views.items():
        declared = _declaration("views", "VIEW", view.view, ("views", name, "view"), problems)
        if declared is None:
            continue
        _inputs(view, declared.of, columns, ("views", name, "of"), problems)
        columns[name] = declared.columns
        _parameters(check, view, declared.parameters, ("views", name, "with"), problems)
    for name in (n for n in columns if n in ("params", "env", "before", "after")):
        problems.add(("facts", name), f'"{name}" is a name of the engine\'s own', "choose another name")
    return Sources(columns, connections)


def _declaration(room: str, attribute: str, name: str, path: Path, problems: Problems) -> Any:
    known = catalog(room)
    if name not in known:
        problems.add(path, f'no {room[:-1]} "{name}"', did_you_mean(name, known.names()))
        return None
    try:
        return getattr(known.load(name), attribute)
    except (UsageError, AttributeError) as error:
        problems.add(path, f'{room[:-1]} "{name}" can\'t be used: {error}', f"its file must define {attribute}")
        return None


def _inputs(view: ViewRequest, needed: Any, columns: Columns, path: Path, problems: Problems) -> None:
    if len(view.of) != len(needed):
        problems.add(path, f"{view.view} takes {len(needed)} facts, not {len(view.of)}", "see: runbook list --views")
        return
    for i, (name, wanted) in enumerate(zip(view.of, needed, strict=True)):
        if name not in columns:
            problems.add((*path, i), f'no fact "{name}"', did_you_mean(name, [*columns]))
            continue
        lacking = sorted(set(wanted) - {column.name for column in columns[name]})
        if lacking:
            problems.add((*path, i), f'"{name}" lacks the columns {", ".join(lacking)}', f"{view.view} reads them")


def _parameters(
    check: Check,
    request: FactRequest | ViewRequest,
    known: Mapping[str, Parameter],
    path: Path,
    problems: Problems,
) -> None:
    for name, value in request.with_.items():
        if name not in known:
            problems.add((*path, name), f'unknown parameter "{name}"', did_you_mean(name, [*known]))
        elif isinstance(value, str) and value.startswith("params."):
            if value.removeprefix("params.") not in check.params:
                problems.add((*path, name), f'unknown parameter "{value}"', did_you_mean(value, [*check.params]))
        elif fault := known[name].fault(value):
            problems.add((*path, name), fault, known[name].help)


def constants(check: Check) -> dict[str, str]:
    """The variables that are the same for all rows."""
    return ENVIRONMENT | {f"params.{name}": parameter.type for name, parameter in check.params.items()}


def row_variables(prefix: str, columns: tuple[Column, ...]) -> dict[str, str]:
    """The variables of one row."""
    return {f"{prefix}.{column.name}": column.type for column in columns}


def whole_variables(prefix: str, columns: tuple[Column, ...]) -> dict[str, str]:
    """The variables of whole columns; those of lists and maps can't be nested."""
    return {f"{prefix}.{c.name}": f"list[{c.type}]" for c in columns}


def join_columns(expect: Expectation, known: Columns, problems: Problems) -> Iterator[tuple[str, dict[str, str]]]:
    """For each join, yield the joined fact and how its key columns match the row's columns."""
    here = known[expect.each or expect.window or ""]
    for name, on in expect.join.items():
        path: Path = ("expect", "join", name)
        if name not in known:
            problems.add(path, f'no fact "{name}"', did_you_mean(name, [*known]))
            continue
        if isinstance(on, dict):
            yield name, on
            continue
        ours = [column.name for column in here if column.entity == on and not column.type.startswith("list")]
        theirs = [column.name for column in known[name] if column.entity == on and column.key]
        if len(ours) != 1 or len(theirs) != 1:
            remedy = f"say which: {{{name}: {{column of the row: column of {name}}}}}"
            problems.add(path, f'can\'t join on "{on}": {ours or "no column"} with {theirs or "no key"}', remedy)
            continue
        yield name, {ours[0]: theirs[0]}

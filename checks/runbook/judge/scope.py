"""What the expressions of a check may read, and where its mistakes are."""

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from runbook.judge.expression_mistakes import ExpressionMistake
from runbook.judge.sound_expressions import SoundExpressions
from runbook.model.ask import REFERENCES
from runbook.model.block import Check, Expectation, FactRequest, ViewRequest
from runbook.model.column import Column
from runbook.model.errors import Problem, UsageError, did_you_mean
from runbook.model.field_types import Site
from runbook.model.link import LINK
from runbook.model.parameter import Parameter
from runbook.model.probe import Probe
from runbook.model.view import Input
from runbook.parse.runbook import LocatedBlock
from runbook.parse.yaml_document import Path
from runbook.plugins.catalog import catalog

ENVIRONMENT = {"env.name": "string", "env.labels": "map[string]", "env.objectives": "list[string]", "now": "timestamp"}
FLEET = Column("environment", "string", "the environment the row comes from", key=True, entity="environment")

_RESERVED = ("params", "env", "link", "before", "after", "now")

Columns = Mapping[str, tuple[Column, ...]]


class Problems:
    """Collects the problems of one check, each at its place in the runbook."""

    def __init__(
        self, placed: LocatedBlock, called: Mapping[str, str] | None = None, sound: SoundExpressions | None = None
    ) -> None:
        """Collect for this block; `called` says what it calls fields of a check.

        Expressions that are `sound` are known to have none.
        """
        self.placed = placed
        self.sound = sound
        self.found: list[Problem] = []
        self._called = called or {}

    def _path(self, path: Path) -> Path:
        first, *rest = path
        return (self._called.get(str(first), first), *rest)

    def add(self, path: Path, message: str, remedy: str = "") -> None:
        """Add a problem at a field of the block, unless it follows from a mistake that was told already."""
        if self.placed.document.is_lost(self._path(path)):
            return
        place = self.placed.document.place(self._path(path))
        self.found.append(Problem(place, f"{message} in {self.placed.name}", remedy))

    def lost_names(self) -> set[str]:
        """Names that the block declares, and whose declaration is a mistake that was told already."""
        lost = [path for path in self.placed.source.lost if len(path) > 1]
        named = {str(path[1]) for path in lost if path[0] in ("facts", "views")}
        return named | {f"params.{path[1]}" for path in lost if path[0] == "params"}

    def add_mistakes(self, path: Path, text: str, mistakes: list[ExpressionMistake]) -> None:
        """Add what is wrong with an expression, pointing into its text."""
        path = self._path(path)
        if self.placed.document.is_lost(path):
            return
        for mistake in mistakes:
            place = self.placed.document.inside(path, mistake.line, mistake.column)
            line = text.split("\n")[min(mistake.line, text.count("\n") + 1) - 1]
            pointer = " " * (mistake.column - 1) + "^ " + mistake.remedy
            message = f"{mistake.message} in the {'.'.join(map(str, path))} of {self.placed.name}"
            self.found.append(Problem(place, message, f"{line}\n{pointer.rstrip()}"))


class Sources(Struct, frozen=True):
    """The columns of every fact and view of a check, and the probes of its facts, by their names in the check.

    `nameless` are names whose columns nobody knows: of facts and views that are mistakes, `params.x` likewise.
    """

    columns: dict[str, tuple[Column, ...]]
    probes: dict[str, Probe]
    nameless: frozenset[str] = frozenset()

    def names(self) -> list[str]:
        """What facts and views are called, also those of which nothing else is known."""
        return [*self.columns, *(name for name in sorted(self.nameless) if "." not in name)]

    def hides(self, name: str) -> bool:
        """Whether nothing can be said of a name, as what it stands for is a mistake that was told already."""
        scope, _, rest = name.partition(".")
        return scope in self.nameless or f"{scope}.{rest}" in self.nameless


def sources(check: Check, problems: Problems) -> Sources:
    """Look up the probes and views a check names, noting what is wrong with them."""
    columns: dict[str, tuple[Column, ...]] = {}
    probes: dict[str, Probe] = {}
    nameless = problems.lost_names()
    bindable: dict[str, _Bindable] = {}
    for name, request in check.facts.items():
        declared = _declaration("probes", "PROBE", request.probe, ("facts", name, "probe"), problems)
        if declared is None:
            nameless.add(name)
            continue
        extra = (FLEET,) if check.over == "fleet" else ()
        columns[name] = (*extra, *declared.columns)
        probes[name] = declared
        bindable[name] = _Bindable(request.probe, columns[name], request.at)
        _parameters(check, request, declared.parameters, ("facts", name, "with"), problems)
        if request.window and "window" not in declared.parameters:
            message = f"{request.probe} has no memory to look back in"
            problems.add(("facts", name, "window"), message, "remove window:; to compare two looks give looks: 5s")
        if (request.at is not None) != (check.over == "link"):
            remedy = "at: source or target goes with over: link, and every fact of such a check needs it"
            problems.add(("facts", name), f'"{name}" and over: {check.over} do not go together', remedy)
    for name, view in check.views.items():
        declared = _declaration("views", "VIEW", view.view, ("views", name, "view"), problems)
        if declared is None:
            nameless.add(name)
            continue
        _Binding(view, declared.inputs, bindable, frozenset(nameless)).check(("views", name, "of"), problems)
        columns[name] = declared.columns
        sides = {bindable[fact].at for fact in view.of.values() if fact in bindable}
        bindable[name] = _Bindable(view.view, columns[name], sides.pop() if len(sides) == 1 else None)
        _parameters(check, view, declared.parameters, ("views", name, "with"), problems)
    _names(check, problems)
    return Sources(columns, probes, frozenset(nameless))


def _names(check: Check, problems: Problems) -> None:
    for kind, names in (("facts", [*check.facts]), ("views", [*check.views])):
        for name in names:
            if name in _RESERVED:
                problems.add((kind, name), f'"{name}" is a name of the engine\'s own', "choose another name")
            if kind == "views" and name in check.facts:
                problems.add((kind, name), f'"{name}" is a fact and a view', "rename one of them")


def _declaration(room: str, attribute: str, name: str, path: Path, problems: Problems) -> Any:
    known = catalog(room)
    if name not in known:
        problems.add(path, f'no {room[:-1]} "{name}"', known.instead_of(name))
        return None
    try:
        return getattr(known.load(name), attribute)
    except (UsageError, AttributeError) as error:
        problems.add(path, f'{room[:-1]} "{name}" can\'t be used: {error}', f"its file must define {attribute}")
        return None


class _Bindable(Struct, frozen=True):
    """What an input of a view may be bound to: a fact or view of the block.

    Attributes:
        kind: the probe or view that gives it.
        columns: of its rows.
        at: over a link, the environment that it is about; None for both.
    """

    kind: str
    columns: tuple[Column, ...]
    at: Site | None

    def misfit(self, wanted: Input) -> tuple[str, str] | None:
        """What it is, and what an input takes instead; None if it fits.

        What is of somebody's own kind fits by its columns, where the view that takes it can't know that kind.
        """
        if self.kind not in wanted.kinds and not (_is_own(self.kind) and not any(map(_is_own, wanted.kinds))):
            return f"is of {self.kind}", f"takes {' or '.join(wanted.kinds)}"
        lacking = sorted({*wanted.columns} - {column.name for column in self.columns})
        if lacking:
            return f"lacks the columns {', '.join(lacking)}", "reads them"
        if wanted.at is not None and self.at != wanted.at:
            end = f"the {self.at}" if self.at else "no one end of a link"
            return f"is of {end}", f"takes what is of the {wanted.at}"
        return None


def _is_own(kind: str) -> bool:
    """Whether a probe or view is of a user's folder."""
    return any(kind in catalog(room).of_users() for room in ("probes", "views"))


class _Binding(Struct, frozen=True):
    """How a block binds the inputs of a view.

    Attributes:
        request: the view, and its `of:`.
        inputs: those that the view declares.
        there: what stands before it in the block, by name.
        nameless: names of which nothing is known.
    """

    request: ViewRequest
    inputs: Mapping[str, Input]
    there: Mapping[str, _Bindable]
    nameless: frozenset[str]

    def check(self, path: Path, problems: Problems) -> None:
        """Note what is wrong with it."""
        view, given = self.request.view, self.request.of
        for word in [word for word in self.inputs if word not in given]:
            problems.add(path, f'{view} lacks its input "{word}"', f"add {word}: {self._instead(word)}")
        for word, name in given.items():
            if word not in self.inputs:
                problems.add((*path, word), f'{view} has no input "{word}"', did_you_mean(word, [*self.inputs]))
            elif name not in self.there and name not in self.nameless:
                known = Sources({name: found.columns for name, found in self.there.items()}, {}, self.nameless)
                problems.add((*path, word), f'no fact "{name}"', did_you_mean(name, known.names()))
            elif name in self.there and (misfit := self.there[name].misfit(self.inputs[word])):
                is_, takes = misfit
                message = f'"{name}" {is_}, and the input {word} of {view} {takes}'
                problems.add((*path, word), message, f"write {word}: {self._instead(word)}")

    def _instead(self, word: str) -> str:
        """What of the block fits an input, or else what would."""
        wanted = self.inputs[word]
        fitting = [name for name, found in self.there.items() if not found.misfit(wanted)]
        at = f" of the {wanted.at} of a link" if wanted.at else ""
        return " or ".join(fitting) or f"and the name of a fact of {' or '.join(wanted.kinds)}{at}"


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
        elif isinstance(value, str) and value.startswith(REFERENCES):
            types = constants(check)
            if value in LINK and value not in types:
                problems.add((*path, name), f'"{value}" and over: {check.over} do not go together')
            elif value not in types and value in problems.lost_names():
                continue
            elif value not in types:
                names = [type_ for type_ in types if type_.startswith(REFERENCES)]
                problems.add((*path, name), f'unknown parameter "{value}"', did_you_mean(value, names))
            elif types[value] != known[name].type:
                message = f"{value} is of type {types[value]}, {name} of type {known[name].type}"
                problems.add((*path, name), message, known[name].help)
        elif fault := known[name].fault(value):
            problems.add((*path, name), fault, known[name].help)


def constants(check: Check) -> dict[str, str]:
    """The variables that are the same for all rows."""
    own = LINK if check.over == "link" else {}
    return ENVIRONMENT | own | {f"params.{name}": parameter.type for name, parameter in check.params.items()}


def row_variables(prefix: str, columns: tuple[Column, ...]) -> dict[str, str]:
    """The variables of one row."""
    return {f"{prefix}.{column.name}": column.type for column in columns}


def whole_variables(prefix: str, columns: tuple[Column, ...]) -> dict[str, str]:
    """The variables of whole columns; those of lists and maps can't be nested."""
    return {f"{prefix}.{c.name}": f"list[{c.type}]" for c in columns}


def join_columns(expect: Expectation, sources: Sources, problems: Problems) -> Iterator[tuple[str, dict[str, str]]]:
    """For each join, yield the joined fact and how its key columns match the row's columns.

    At most one row may match, so every key column of the joined fact must be named. One that is a key of both facts by
    the same name need not be: broker 1 of one environment is not broker 1 of another.
    """
    known = sources.columns
    subject = expect.each or expect.window or ""
    here = {column.name: column for column in known.get(subject, ())}
    for name, on in expect.join.items():
        path: Path = ("expect", "join", name)
        if name in sources.nameless or subject in sources.nameless:
            continue
        if name not in known:
            problems.add(path, f'no fact "{name}"', did_you_mean(name, sources.names()))
            continue
        there = {column.name: column for column in known[name]}
        pairs = dict(on) if isinstance(on, dict) else _by_entity(name, on, here, there, path, problems)
        if pairs:
            both = [key.name for key in there.values() if key.key and key.name in here and here[key.name].key]
            pairs |= {key: key for key in both if key not in (*pairs, *pairs.values())}
        if pairs and _joinable(pairs, here, there, path, problems):
            missing = sorted({column.name for column in there.values() if column.key} - set(pairs.values()))
            if missing:
                message = f'several rows of "{name}" may match: it is also keyed by {", ".join(missing)}'
                problems.add(path, message, f"say which: {{{name}: {{column of the row: column of {name}}}}}")
            yield name, pairs


def _by_entity(
    name: str, entity: str, here: Mapping[str, Column], there: Mapping[str, Column], path: Path, problems: Problems
) -> dict[str, str]:
    ours = [c.name for c in here.values() if c.entity == entity and not c.type.startswith("list")]
    theirs = [c.name for c in there.values() if c.entity == entity and c.key]
    if len(ours) == len(theirs) == 1:
        return {ours[0]: theirs[0]}
    remedy = f"say which: {{{name}: {{column of the row: column of {name}}}}}"
    problems.add(path, f'can\'t join on "{entity}": {ours or "no column"} with {theirs or "no key"}', remedy)
    return {}


def _joinable(
    pairs: Mapping[str, str], here: Mapping[str, Column], there: Mapping[str, Column], path: Path, problems: Problems
) -> bool:
    before = len(problems.found)
    for ours, theirs in pairs.items():
        if ours not in here:
            problems.add((*path, ours), f'no column "{ours}"', did_you_mean(ours, [*here]))
        elif theirs not in there:
            problems.add((*path, ours), f'no column "{theirs}"', did_you_mean(theirs, [*there]))
        elif here[ours].type != there[theirs].type or "[" in here[ours].type:
            message = f"{ours} ({here[ours].type}) can't be joined with {theirs} ({there[theirs].type})"
            problems.add((*path, ours), message, "join columns of the same scalar type")
    return len(problems.found) == before

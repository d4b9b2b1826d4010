"""Code as Python runs it, and what of it takes part when a function runs."""

import ast
import functools
import inspect
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

import runbook
from support.evidence.expected import Expected

_PACKAGE: Final = Path(runbook.__file__).parent.parent
_PRODUCT: Final = ("kafka_lab", "runbook", "schema_compat")
_TESTS: Final = Path(__file__).parents[2]
_PLAIN: Final = (str, bytes, int, float, bool, type(None), Path)


class _Name(NamedTuple):
    module: str
    name: str


def meaning(source: str) -> str:
    """Source as Python runs it: without comments, docstrings and the way its lines are broken.

    And without what a row's cells say of a change between two looks (`moves`), which is read when these are compared
    and changes nothing that a look sees.
    """
    return _dumped(ast.parse(source))


@cache
def meaning_of(file: Path) -> str:
    """A module as Python runs it."""
    return meaning(file.read_text("utf-8"))


def closure(modules: Iterable[str], rooms: tuple[str, ...]) -> list[Path]:
    """The files of these modules and of all that they import of these rooms, by name."""
    found: dict[str, Path] = {}
    waiting = list(modules)
    while waiting:
        module = waiting.pop()
        if module not in found and _within(module, rooms) and (file := _file_of(module)) is not None:
            found[module] = file
            parents = [module.rpartition(".")[0]] if "." in module else []
            waiting += [
                *parents,
                *(name for import_ in _imports(file).values() for name in (import_.module, ".".join(import_))),
            ]
    return [found[name] for name in sorted(found)]


def taking_part(functions: Iterable[Callable[..., Any]], rooms: tuple[str, ...]) -> list[str]:
    """What runs when these functions do: each definition of the modules in these rooms, as Python runs it.

    What a function refers to by name is followed through the modules; and so are the functions, and written down the
    values, that it was given when it was made. Decorators of the functions themselves are no part of it.
    """
    parts = _Parts(rooms)
    for function in functions:
        parts.enter(function)
    return [f"{name}: {text}" for name in sorted(parts.found) for text in sorted(parts.found[name])]


class _Parts:
    """What takes part, as it is found."""

    def __init__(self, rooms: tuple[str, ...]) -> None:
        self.found: dict[str, set[str]] = {}
        self._rooms = rooms
        self._entered: set[int] = set()

    def enter(self, function: Callable[..., Any]) -> None:
        """Begin at a function, with what it was given when it was made."""
        if isinstance(function, functools.partial):
            self._given(function.func.__qualname__, [*function.args, *function.keywords.values()])
            function = function.func
        function = inspect.unwrap(function)
        if id(function) in self._entered or not inspect.isfunction(function):
            return
        self._entered.add(id(function))
        name = f"{function.__module__}.{function.__qualname__}"
        if function.__name__ == "<lambda>":  # it stands in something that takes part, or is the default of a parameter
            self._follow(_Name(function.__module__, function.__qualname__.partition(".")[0]))
        else:
            [statement] = ast.parse(textwrap.dedent(inspect.getsource(function))).body
            assert isinstance(statement, ast.FunctionDef)
            statement.decorator_list = []
            self._note(name, _dumped(statement))
            if (file := _file_of(function.__module__)) is not None:
                for name_ in _referred(statement, function.__module__, file):
                    self._follow(name_)
        self._given(name, inspect.getclosurevars(function).nonlocals.values())

    def _given(self, name: str, values: Iterable[Any]) -> None:
        for value in values:
            if _plain(value):
                self._note(name, _written(value))
            elif isinstance(value, Expected):
                continue  # judges what was seen, and makes none of it
            elif inspect.isfunction(value) or isinstance(value, functools.partial):
                self.enter(value)
            elif is_dataclass(value) and not isinstance(value, type):
                self._given(name, [getattr(value, field.name) for field in fields(value)])
            elif isinstance(value, Mapping):
                self._given(name, value.values())

    def _follow(self, first: _Name) -> None:
        waiting = [first]
        while waiting:
            name = waiting.pop()
            full = ".".join(name)
            if full in self.found or not _within(name.module, self._rooms) or (file := _file_of(name.module)) is None:
                continue
            statements = _definitions(file).get(name.name, [])
            if not statements and name.name in _imports(file):
                waiting.append(_imports(file)[name.name])
            for statement in statements:
                self._note(full, _dumped(statement))
                waiting += _referred(statement, name.module, file)

    def _note(self, name: str, text: str) -> None:
        self.found.setdefault(name, set()).add(text)


def _plain(value: Any) -> bool:
    if isinstance(value, Mapping):
        return all(_plain(part) for pair in value.items() for part in pair)
    if isinstance(value, tuple | list | set | frozenset):
        return all(_plain(part) for part in value)
    return isinstance(value, _PLAIN)


def _written(value: Any) -> str:
    """A plain value, in one way only: sets have no order."""
    if isinstance(value, Mapping):
        return str(sorted((_written(key), _written(part)) for key, part in value.items()))
    if isinstance(value, set | frozenset):
        return str(sorted(map(_written, value)))
    if isinstance(value, tuple | list):
        return str([_written(part) for part in value])
    return repr(value)


def _referred(statement: ast.stmt, module: str, file: Path) -> Iterator[_Name]:
    """What a definition names: of its own module, and of those that this one imports."""
    own, imported = _definitions(file), _imports(file)
    for node in ast.walk(statement):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in imported:
            yield _Name(".".join(imported[node.value.id]), node.attr)  # of a module, if that is what was imported
        elif isinstance(node, ast.Name) and node.id in own:
            yield _Name(module, node.id)
        elif isinstance(node, ast.Name) and node.id in imported:
            yield imported[node.id]


@cache
def _tree(file: Path) -> ast.Module:
    return ast.parse(file.read_text("utf-8"))


@cache
def _definitions(file: Path) -> dict[str, list[ast.stmt]]:
    """Name → the statements at the top of a module that give it its meaning."""
    found: dict[str, list[ast.stmt]] = {}
    for statement in _tree(file).body:
        for name in _defined(statement):
            found.setdefault(name, []).append(statement)
    return found


def _defined(statement: ast.stmt) -> list[str]:
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return [statement.name]
    if isinstance(statement, ast.Assign):
        targets: list[ast.expr] = statement.targets
    else:
        targets = [statement.target] if isinstance(statement, ast.AnnAssign | ast.AugAssign) else []
    return [node.id for target in targets for node in ast.walk(target) if isinstance(node, ast.Name)]


@cache
def _imports(file: Path) -> dict[str, _Name]:
    """Name in a module → what it stands for, whether imported at its top or when it runs."""
    found: dict[str, _Name] = {}
    for node in ast.walk(_tree(file)):
        if isinstance(node, ast.Import):
            for name in node.names:
                found[name.asname or name.name] = _Name(*name.name.rpartition(".")[::2])
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for alias in node.names:
                found[alias.asname or alias.name] = _Name(node.module, alias.name)
    return found


def _within(module: str, rooms: tuple[str, ...]) -> bool:
    return any(module == room or module.startswith(f"{room}.") for room in rooms)


def _file_of(module: str) -> Path | None:
    path = (_PACKAGE if module.partition(".")[0] in _PRODUCT else _TESTS).joinpath(*module.split("."))
    for file in (path.with_suffix(".py"), path / "__init__.py"):
        if module and file.is_file():
            return file
    return None


def _dumped(tree: ast.AST) -> str:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Cell":
            # of what was seen, not how it is
            node.keywords = [keyword for keyword in node.keywords if keyword.arg != "moves"]
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            node.body = list(_without_texts(node.body)) or [ast.Pass()]
    return ast.dump(tree)


def _without_texts(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    for statement in body:
        if not (
            isinstance(statement, ast.Expr)
            and isinstance(statement.value, ast.Constant)
            and isinstance(statement.value.value, str)
        ):
            yield statement

"""CEL expressions over typed variables, through Google's binding.

Each column is a variable of its own (`topic.replication_factor`), so that a misspelt name or a wrong type fails when
the runbook is read. The binding bounds the number of iterations itself; everything it can report at run time, as a
value or as an exception, becomes `Undecided`: neither true nor false.
"""

import itertools
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property, partial
from typing import Any, Final

from cel_expr_python import cel
from msgspec import Struct

from runbook.judge.expression_mistakes import ExpressionMistake, explained, wrong_lengths
from runbook.judge.name_tests import MANY, NameTest, with_answers
from runbook.judge.sound_expressions import SoundExpressions, digest_of, digest_of_types
from runbook.model.column import read_time

_AT_ONCE = 10_000  # rows that are compared with each other at a time. Our judgement: their keys take a megabyte or two
_REMEMBERED = 1024  # answers kept from one such lot to the next; our judgement: rows share a few hundred settings
# The same where one variable differs, such as a topic's name beside a pattern: a megabyte, for all judgements to come.
_REMEMBERED_OF_ONE = 32_768
# Evaluations that may exceed the budget (about 1.5 ms each) before the rest of the rows is given up. Our judgement
_OVERRUNS = 100
_MOST_KEPT = 8192  # compiled expressions; our judgement: the built-in runbooks have half as many
OVERRUN: Final = "the expression takes more iterations than are allowed"

_SIMPLE = {
    "int": cel.Type.INT,
    "float": cel.Type.DOUBLE,
    "string": cel.Type.STRING,
    "bool": cel.Type.BOOL,
    "timestamp": cel.Type.TIMESTAMP,
}
_DOT = re.compile(r"\s*\.\s*")
_NAMES = re.compile(r"\w+(?:\.\w+)*")
_NESTED = re.compile(r"LIST<(?:LIST|MAP|DYN)|^DYN")  # types whose values may be as large as their nesting is deep


_PATTERN = re.compile(r"""\.\s*matches\(\s*(r?"(?:\\.|[^"\\\n])*"|r?'(?:\\.|[^'\\\n])*')\s*\)""")


def _wrong_patterns(text: str) -> Iterator[ExpressionMistake]:
    """Patterns of `matches` that are none: they compile, and no row could ever be decided."""
    for number, line in enumerate(text.split("\n"), 1):
        for found in _PATTERN.finditer(line):
            if why := _no_pattern(found[1]):
                yield ExpressionMistake(
                    why, number, found.start(1) + 1, "patterns are those of RE2: ^a.*, [a-z]+, (x|y)"
                )


@cache
def _no_pattern(literal: str) -> str:
    """Why a text in quotes is no regular expression, as CEL says it; "" where it is one."""
    try:
        found = _without_variables().compile(f'"".matches({literal})').eval(data={})
    except (RuntimeError, ValueError, TypeError) as error:
        return str(error)
    return str(found.value()).partition(": ")[2] if found.type() == cel.Type.ERROR else ""


@cache
def _without_variables() -> Any:
    return cel.NewEnv(variables={})


class Undecided(Struct, frozen=True):
    """An expression that could not be decided, and why."""

    reason: str


@cache
def _type(name: str) -> Any:
    kind, _, inner = name.partition("[")
    if kind == "list":
        return cel.Type.List(_type(inner[:-1]))
    if kind == "map":
        return cel.Type.Map(cel.Type.STRING, cel.Type.STRING)
    return _SIMPLE[name]


_compiled: dict[tuple[object, ...], Any] = {}
"""Text, digest of the variables' types, and what it must give -> what is compiled: once in a process, however often
runbooks are read in it. Nothing of a compiled expression changes when it is evaluated."""


class Variables:
    """The typed variables that expressions of one scope may read: name -> type name of a column or parameter."""

    def __init__(self, types: Mapping[str, str], sound: SoundExpressions | None = None) -> None:
        """Declare the variables; expressions over them that are `sound` are compiled when they are evaluated."""
        self.types = dict(types)
        self._sound = sound
        self._deepest = max((name.count(".") for name in self.types), default=0) + 1

    @cached_property
    def _env(self) -> Any:
        return cel.NewEnv(variables={name: _type(kind) for name, kind in self.types.items()})

    @cached_property
    def _digest(self) -> bytes:
        return digest_of_types(self.types)

    def compile(
        self, text: str, *, boolean: bool = True, flat: bool = False, gives: str = ""
    ) -> "Expression | list[ExpressionMistake]":
        """Compile an expression; with `boolean`, one that must be true or false; with `flat`, no list of lists.

        With `gives`, the type name of a column, it must give values of that.
        """
        must: dict[str, Any] = {"boolean": boolean and not gives, "flat": flat, "gives": gives}
        types = {name: self.types[name] for name in self._used(text)}
        if self._sound is None:
            found = self._compile(text, **must)
            return found if isinstance(found, list) else Expression(text, types, lambda: found)
        digest = digest_of(text, self._digest, f"{boolean} {flat} {gives}")
        if digest not in self._sound:
            found = self._compile(text, **must)
            if isinstance(found, list):
                return found
            self._sound.add(digest)
            return Expression(text, types, lambda: found)
        return Expression(text, types, partial(self._compile, text, **must))

    def _compile(self, text: str, *, boolean: bool, flat: bool, gives: str) -> Any:
        """What the binding makes of an expression, or the mistakes in it."""
        key = (text, self._digest, boolean, flat, gives)
        if key not in _compiled:
            made = self._made(text, boolean=boolean, flat=flat, gives=gives)
            if isinstance(made, list):
                return made
            if len(_compiled) >= _MOST_KEPT:
                _compiled.clear()
            _compiled[key] = made
        return _compiled[key]

    def _made(self, text: str, *, boolean: bool, flat: bool, gives: str) -> Any:
        try:
            compiled = self._env.compile(text)
        except (RuntimeError, ValueError, TypeError) as error:
            return explained(str(error), text, self.types)
        if wrong := [*wrong_lengths(text), *_wrong_patterns(text)]:
            return wrong
        kind = compiled.return_type()
        if boolean and kind != cel.Type.BOOL:
            return [ExpressionMistake(f"gives {kind.name()}, not true or false", remedy="compare it with something")]
        if gives and kind != _type(gives):
            return [ExpressionMistake(f"gives {kind.name()}, not {gives}", remedy=f"make it {gives}")]
        if flat and _NESTED.search(str(kind)):
            return [
                ExpressionMistake(
                    "gives lists within lists, or values of any type, which no message has room for",
                    remedy="tell its size, or a part",
                )
            ]
        return compiled

    def _used(self, text: str) -> list[str]:
        """The variables that stand in a text.

        Too many do no harm, one too few would be a value that is never given: names inside of quotes count too.
        """
        found: set[str] = set()
        for run in {*_NAMES.findall(_DOT.sub(".", text))}:  # CEL allows space around a dot
            found.add(run)
            parts = run.split(".")
            for size in range(1, min(self._deepest + 1, len(parts))):
                found.update([".".join(parts[at : at + size]) for at in range(len(parts) - size + 1)])
        return [name for name in self.types if name in found]


class _Unsound(Struct, frozen=True):
    """In place of an expression that was taken for sound and is not: nothing of it can be decided."""

    mistake: str

    def eval(self, **_: Any) -> Any:
        raise RuntimeError(f"it does not compile: {self.mistake}")


class Expression:
    """A compiled expression, or one that is compiled when it is evaluated; `used` are the variables it reads."""

    def __init__(self, text: str, types: Mapping[str, str], compile_: Callable[[], Any]) -> None:
        """Wrap what `Variables.compile` makes of a text; `types` are those of the variables it reads."""
        self.text = text
        self.types = types
        self.used = list(types)
        self._compile = compile_
        self._timestamps = [name for name, kind in types.items() if "timestamp" in kind]
        self._remembered: tuple[str, dict[Any, Any]] = ("", {})  # the constants, and answers to rows beside them

    @cached_property
    def _compiled(self) -> Any:
        made = self._compile()
        return _Unsound(made[0].message) if isinstance(made, list) else made

    def value(self, data: Mapping[str, Any]) -> Any:
        """Evaluate over values of the variables; None means that a value is not known."""
        known = {name: data[name] for name in self.used if data.get(name) is not None}
        for name in self._timestamps:
            known[name] = _times(known.get(name))
        return self._decide({name: value for name, value in known.items() if value is not None})

    def _decide(self, known: Mapping[str, Any]) -> Any:
        try:
            found = self._compiled.eval(data=known)
            if found.type() == cel.Type.ERROR:
                return Undecided(_plain(str(found.value()), self.used, known))
            return found.plain_value()
        except RuntimeError as error:
            return Undecided(_plain(str(error), self.used, known))

    def each(
        self,
        columns: Mapping[str, Sequence[Any]],
        constants: Mapping[str, Any],
        count: int,
        where: Sequence[Any] | None = None,
    ) -> list[Any]:
        """Evaluate over rows: True, False or Undecided for each.

        Of thousands of topics most have the same settings, and an expression gives the same for the same values: of
        rows that are equal in what it reads one is evaluated.

        Args:
            columns: variable -> its cells, one per row.
            constants: variable -> its value, the same for all rows.
            count: the number of rows.
            where: what another expression gave for each; None, or what another row with the same cells gives, stands
                for a row of which it is false. None: all are asked for.
        """
        if count >= MANY and (searched := self._each_by_names(columns, constants, count, where)) is not None:
            return searched
        wanted = itertools.repeat(object()) if where is None else iter(where)
        fixed = {name: constants[name] for name in self.used if name in constants}
        varying = {name: columns[name] for name in self.used if name in columns and name not in fixed}
        of_each = [_keys(self.types[name], cells) for name, cells in varying.items()]
        keys: Iterator[Any] = zip(*of_each, strict=True) if of_each else itertools.repeat((), count)
        most = _REMEMBERED
        if len(of_each) == 1:
            keys, most = iter(of_each[0]), _REMEMBERED_OF_ONE
        given = repr((fixed, [*varying]))  # not compared by ==, as 0.0 is not -0.0
        answers = self._remembered[1] if self._remembered[0] == given else {}
        found: list[Any] = []
        overruns = 0
        for start in range(0, count, _AT_ONCE):
            lot = [*itertools.islice(keys, _AT_ONCE)]
            new = {*itertools.compress(lot, wanted)} - answers.keys()  # mostly none, and then no row is looked at
            for key, row in dict(zip(lot, itertools.count(start), strict=False)).items() if new else ():
                if key not in new:
                    continue
                if overruns >= _OVERRUNS:
                    answers[key] = Undecided(OVERRUN)
                    continue
                answers[key] = answer = self._decide_row(fixed | {name: cells[row] for name, cells in varying.items()})
                overruns += isinstance(answer, Undecided) and answer.reason == OVERRUN
            found += map(answers.get, lot)
            if len(answers) > most:
                answers = dict(itertools.islice(answers.items(), most))
        if not overruns:  # what is given up for them is given up this time alone
            self._remembered = (given, answers)
        return found

    @cached_property
    def _by_names(self) -> "tuple[Expression, list[tuple[NameTest, Expression]]] | None":
        """The expression that reads answers in place of testing names, and what by; None where it tests none."""
        text, tests = with_answers(self.text, self.types)
        made = Variables({**self.types, **{test.answer: "bool" for test in tests}}).compile(text) if tests else []
        operands = [Variables(self.types).compile(test.operand, gives=test.gives) for test in tests]
        found = [(test, one) for test, one in zip(tests, operands, strict=True) if isinstance(one, Expression)]
        return (made, found) if isinstance(made, Expression) and len(found) == len(tests) else None

    def _each_by_names(
        self,
        columns: Mapping[str, Sequence[Any]],
        constants: Mapping[str, Any],
        count: int,
        where: Sequence[Any] | None,
    ) -> list[Any] | None:
        """What `each` gives, with names tested outside of CEL; None where CEL must do it, or has to say why not."""
        if self._by_names is None:
            return None
        made, tests = self._by_names
        if not any(test.pays(columns.get(test.name, ())) for test, _ in tests):
            return None
        answers: dict[str, Sequence[Any]] = {}
        for test, operand in tests:
            given = operand.value(constants)
            known = not isinstance(given, Undecided) and test.name in columns
            found = test.of(columns[test.name], given) if known else None
            if found is None:
                return None
            answers[test.answer] = found
        decided = made.each({**columns, **answers}, constants, count, where)
        return None if any(isinstance(answer, Undecided) for answer in decided) else decided

    def _decide_row(self, data: dict[str, Any]) -> Any:
        for name in data.keys() & self._timestamps:
            data[name] = _times(data[name])
        if None in data.values():
            return self._decide({name: value for name, value in data.items() if value is not None})
        try:
            found = self._compiled.eval(data=data).value()
        except RuntimeError:
            found = None
        return found if found is True or found is False else self._decide(data)


def _keys(kind: str, cells: Sequence[Any]) -> Iterable[Any]:
    """What takes the place of cells where rows are compared: alike only where an expression sees the same.

    0.0 and -0.0 are equal and give different quotients; two maps may be equal and have their keys in another order.
    """
    if "float" in kind:
        return map(repr, cells)
    if kind.startswith("map"):
        return (None if cell is None else tuple(cell.items()) for cell in cells)
    if kind.startswith("list"):
        return (None if cell is None else tuple(cell) for cell in cells) if None in cells else map(tuple, cells)
    return cells


def _plain(error: str, used: list[str], known: Mapping[str, Any]) -> str:
    """Say what kept an expression from being decided."""
    if "budget" in error:
        return OVERRUN
    lacking = [name for name in used if name not in known]
    if lacking:
        return f"{', '.join(lacking)} could not be found out"
    return error.partition(": ")[2] or error


def _times(value: Any) -> Any:
    """RFC 3339 text, or a list of it, as CEL wants it; None where it can't be read."""
    if isinstance(value, list):
        times = [_times(item) for item in value]
        return None if None in times else times
    return read_time(value) if isinstance(value, str) else None

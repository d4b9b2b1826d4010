from collections import Counter
from typing import Any

import pytest

from runbook.judge import expression as module
from runbook.judge.expression import OVERRUN, Expression, Undecided, Variables
from runbook.judge.expression_mistakes import ExpressionMistake

TYPES = {
    "row.size": "int",
    "row.size_max": "int",
    "row.ratio": "float",
    "row.ok": "bool",
    "row.name": "string",
    "row.at": "timestamp",
    "row.times": "list[timestamp]",
    "row.brokers": "list[int]",
    "row.settings": "map[string]",
    "params.most": "int",
    "now": "timestamp",
}


def expression(text: str) -> Expression:
    made = Variables(TYPES).compile(text)
    assert isinstance(made, Expression), made
    return made


def mistakes(text: str, *, boolean: bool = True) -> list[ExpressionMistake]:
    made = Variables(TYPES).compile(text, boolean=boolean)
    assert isinstance(made, list), "it should not compile"
    return made


def test_a_misspelt_name_is_a_mistake_with_its_place_and_what_was_meant() -> None:
    text = "row.ok &&\n  row.siez > params.mots"
    [first, second] = mistakes(text)
    assert (first.line, first.column, first.message) == (2, 3, 'unknown name "row.siez"')
    assert first.remedy.startswith("did you mean row.size? ")
    assert (second.line, second.column, second.message) == (2, 14, 'unknown name "params.mots"')


def test_what_only_follows_from_a_mistake_is_not_repeated() -> None:
    [mistake] = mistakes("row.size.x.y == 2")
    assert mistake.message == "a whole number has no part that could be named behind a dot"


@pytest.mark.parametrize(
    "text",
    [
        'row.ok != "true"',
        "row.name > row.ratio",
        "row.name + 1 == 2",
        "row.size == null",
        "row.size >",
        "row.size = 1",
    ],
)
def test_a_wrong_type_is_a_mistake(text: str) -> None:
    assert mistakes(text)


def test_an_expression_that_is_neither_true_nor_false_is_a_mistake() -> None:
    [mistake] = mistakes("row.size + 1")
    assert mistake.message == "gives INT, not true or false"
    assert isinstance(Variables(TYPES).compile("row.size + 1", boolean=False), Expression)


@pytest.mark.parametrize("text", ["open('x') == ''", "env.HOME == ''", "__import__('os') == ''", "http.get('x') == ''"])
def test_nothing_but_the_declared_variables_can_be_read(text: str) -> None:
    assert mistakes(text)


@pytest.mark.parametrize(
    ("text", "used"),
    [
        ("row.size > params.most", ["row.size", "params.most"]),
        ("row . size > 1", ["row.size"]),
        ("row\n  .size > 1", ["row.size"]),
        (".row.size > 1", ["row.size"]),
        ("row.size_max > 1", ["row.size_max"]),
        ("row.brokers.exists(b, b == row.size)", ["row.size", "row.brokers"]),
        ("true", []),
    ],
)
def test_the_variables_an_expression_reads_are_found_however_it_is_written(text: str, used: list[str]) -> None:
    made = expression(text)
    assert made.used == used
    data = {"row.size": 5, "row.size_max": 5, "params.most": 1, "row.brokers": [5]}
    assert made.value(data) is True


@pytest.mark.parametrize(
    ("text", "data", "expected"),
    [
        ("row.size > 1", {"row.size": 2}, True),
        ("row.ratio > 1.0", {"row.ratio": 2}, True),
        ("row.at < now", {"row.at": "2026-01-01T00:00:00Z", "now": "2026-01-01T01:00:01+01:00"}, True),
        ("row.at < now", {"row.at": "2026-01-01T00:00:00", "now": "2026-01-01T00:00:01Z"}, True),
        ("row.times.all(t, t < now)", {"row.times": ["2026-01-01T00:00:00Z"], "now": "2026-01-02T00:00:00Z"}, True),
        ("row.settings['a'] == 'b'", {"row.settings": {"a": "b"}}, True),
        ("row.ok || row.size > 1", {"row.ok": True}, True),
        ("row.ok && row.size > 1", {"row.ok": False}, False),
    ],
)
def test_an_expression_is_decided_where_what_is_known_suffices(
    text: str, data: dict[str, Any], *, expected: bool
) -> None:
    made = expression(text)
    assert made.value(data) is expected
    columns = {name: [cell] for name, cell in data.items()}
    assert list(made.each(columns, {}, 1)) == [expected]
    assert list(made.each({}, data, 2)) == [expected, expected]


@pytest.mark.parametrize(
    ("text", "data", "reason"),
    [
        ("row.size > 1", {}, "row.size could not be found out"),
        ("row.size > 1", {"row.size": None}, "row.size could not be found out"),
        ("row.size > 1", {"row.size": "2"}, "row.size"),
        ("row.size > 1", {"row.size": 2**70}, "int too big"),
        ("row.ok != true", {"row.ok": "true"}, "row.ok"),
        ("1 / row.size > 1", {"row.size": 0}, "divide by zero"),
        ("row.at < now", {"row.at": "soon", "now": "2026-01-01T00:00:00Z"}, "row.at could not be found out"),
        ("row.settings['x'] == ''", {"row.settings": {}}, "Key not found"),
        ("row.name == ''", {"row.name": "\ud800"}, ""),
        ("row.brokers.all(a, row.brokers.all(b, a + b >= 0))", {"row.brokers": list(range(1000))}, "iterations"),
    ],
)
def test_what_can_not_be_decided_is_neither_true_nor_false(text: str, data: dict[str, Any], reason: str) -> None:
    made = expression(text)
    columns = {name: [cell] for name, cell in data.items()}
    for answer in (made.value(data), *made.each(columns, {}, 1)):
        assert isinstance(answer, Undecided)
        assert reason in answer.reason


def test_rows_are_answered_in_their_order() -> None:
    answers = list(expression("row.size > params.most").each({"row.size": [1, None, 3]}, {"params.most": 2}, 3))
    assert answers[::2] == [False, True]
    assert isinstance(answers[1], Undecided)


class Counting:
    """A compiled expression that counts how often it is evaluated."""

    def __init__(self, compiled: Any) -> None:
        self._compiled = compiled
        self.times = 0

    def eval(self, **given: Any) -> Any:
        """Evaluate it."""
        self.times += 1
        return self._compiled.eval(**given)


def counted(text: str) -> tuple[Expression, Counting]:
    made = expression(text)
    made._compiled = counting = Counting(made._compiled)
    return made, counting


def test_an_expression_that_takes_too_long_is_given_up_for_all_rows_together() -> None:
    nested, counting = counted("row.brokers.all(a, row.brokers.all(b, row.brokers.all(c, a + b + c >= 0)))")
    rows = [[number, *range(500)] for number in range(1000)]  # each differs: what is equal is evaluated once anyway
    answers = list(nested.each({"row.brokers": rows}, {}, len(rows)))
    assert {type(answer) for answer in answers} == {Undecided}
    assert counting.times < len(rows) / 4


AT = ["2026-01-01T00:00:00Z", "2027-01-01T00:00:00Z"]


@pytest.mark.parametrize(
    ("text", "name", "cells", "expected"),
    [
        ("row.at < now", "row.at", AT, [True, False]),
        ("row.ratio < 1.0", "row.ratio", [0.5, 2.5], [True, False]),
        ("row.settings.size() == 1", "row.settings", [{"a": "b"}, {}], [True, False]),
        ("1.0 / row.ratio > 0.0", "row.ratio", [0.0, -0.0], [True, False]),
    ],
)
def test_rows_that_are_equal_in_what_is_read_are_evaluated_once(
    text: str, name: str, cells: list[Any], expected: list[bool]
) -> None:
    made, counting = counted(text)
    constants = {"now": "2026-06-01T00:00:00Z"}
    assert list(made.each({name: cells * 50}, constants, 100)) == expected * 50
    assert counting.times == len(cells)
    assert list(made.each({name: cells}, constants, 2)) == expected
    assert counting.times == len(cells), "the judgement before knew them"


def test_other_constants_are_another_question() -> None:
    made = expression("row.at < now")
    assert [*made.each({"row.at": AT}, {"now": "2026-06-01T00:00:00Z"}, 2)] == [True, False]
    assert [*made.each({"row.at": AT}, {"now": "2028-06-01T00:00:00Z"}, 2)] == [True, True]


def test_what_was_given_up_is_tried_again_the_next_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("runbook.judge.expression._OVERRUNS", 1)
    made = expression("row.name != 'b'")
    decided = made._decide_row
    monkeypatch.setattr(
        made, "_decide_row", lambda data: Undecided(OVERRUN) if data["row.name"] == "a" else decided(data)
    )
    assert [*made.each({"row.name": ["a", "b"]}, {}, 2)] == [Undecided(OVERRUN)] * 2
    assert [*made.each({"row.name": ["b"]}, {}, 1)] == [False]


def test_rows_that_nobody_asks_for_are_not_evaluated() -> None:
    made, counting = counted("row.name == 'a'")
    where = [True, False, Undecided("not known"), False]
    assert made.each({"row.name": ["a", "b", "c", "a"]}, {}, 4, where) == [True, None, False, True]
    assert counting.times == 2


def test_an_expression_over_the_same_variables_is_compiled_once_in_a_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_compiled", {})
    monkeypatch.setattr(module, "_MOST_KEPT", 2)
    made = Counter[str]()
    once = Variables._made

    def counted(self: Variables, text: str, **must: Any) -> Any:
        made[text] += 1
        return once(self, text, **must)

    monkeypatch.setattr(Variables, "_made", counted)
    for size, value in (("int", 1), ("int", 1), ("string", "one")):
        same = Variables({"row.size": size}).compile("row.size == row.size")
        assert isinstance(same, Expression)
        assert same.value({"row.size": value}) is True
    assert made["row.size == row.size"] == 2, "over other types it is another"
    for _ in range(2):
        assert isinstance(Variables({"row.size": "int"}).compile("row.sizes > 1"), list)
    assert made["row.sizes > 1"] == 2, "what is wrong is told each time"
    Variables({"row.size": "int"}).compile("row.size > 1")
    assert len(module._compiled) == 1, "what is kept has a bound"

import time

import pytest

from runbook.judge.expression import Undecided, Variables
from runbook.judge.expression_mistakes import ExpressionMistake
from runbook.judge.template import Room, Template, compile_template, show

VARIABLES = Variables({"row.name": "string", "row.size": "int", "row.settings": "map[string]"})


def filled(text: str, **cells: object) -> str:
    made = compile_template(text, VARIABLES)
    assert isinstance(made, Template)
    return made.fill({f"row.{name}": cell for name, cell in cells.items()})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{row.name}: {row.size * 2} bytes", "a: 4 bytes"),
        ("no expression", "no expression"),
        ("{} and {row.name} and {}", "{} and a and {}"),
        ("{row.name}{row.name}", "aa"),
        ("{row.settings['k']}", "?"),
        ("", ""),
    ],
)
def test_a_message_is_filled(text: str, expected: str) -> None:
    assert filled(text, name="a", size=2, settings={}) == expected


def test_what_is_not_known_shows_as_a_question_mark() -> None:
    assert filled("{row.name} has {row.size}", name="a", size=None) == "a has ?"


@pytest.mark.parametrize(
    ("size", "said"),
    [(1, "1 broker is late"), (2, "2 brokers are late"), (0, "0 brokers are late"), (None, "? brokers are late")],
)
def test_the_word_that_goes_with_a_number_is_chosen(size: int | None, said: str) -> None:
    assert filled("{row.size} {row.size|broker is|brokers are} late", size=size) == said


def test_an_or_between_two_expressions_chooses_no_word() -> None:
    assert filled("{row.size > 1 || row.name == 'a' ? 'so' : 'not so'}", name="a", size=1) == "so"


def test_every_mistake_of_a_message_is_placed_in_its_text() -> None:
    found = compile_template("ab {row.nam} {row.size +} {row.siz|a|b}", VARIABLES)
    assert isinstance(found, list)
    assert [(mistake.line, mistake.column) for mistake in found] == [(1, 5), (1, 25), (1, 28)]
    assert all(isinstance(mistake, ExpressionMistake) for mistake in found)


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (True, "true"),
        (None, "?"),
        (Undecided("x"), "?"),
        ([1, None, "a"], "[1, ?, a]"),
        ({"b": "1", "a": "2"}, "{a: 2, b: 1}"),
        (1.5, "1.5"),
        (10.666666666666666, "10.67"),
        (2.0, "2"),
        (-1234567.891, "-1234567.89"),
        (0.123456, "0.123"),
        (0.99996, "0.99996"),
        (99.9996, "99.9996"),
        (10.0000000001, "10.0000000001"),
        (1e-7, "1e-07"),
        (0.0, "0"),
        (100.0, "100"),
        (float("inf"), "inf"),
        (["", "", ""], "none"),
        (["", "a"], "[none, a]"),
        ([], "[]"),
        ([10.666666666666666], "[10.67]"),
    ],
)
def test_values_are_shown_as_people_write_them(value: object, shown: str) -> None:
    assert show(value) == shown


WIDE = Variables({"row.name": "string", "row.list": "list[string]"})


@pytest.mark.parametrize(
    "text",
    [
        "{row.list.map(a, row.list)}",
        "{row.list.map(a, row.list.map(b, row.list.map(c, row.list)))}",
        "{dyn(row.list.map(a, row.list))}",
        "{row.list.map(a, dyn(row.list))}",
    ],
)
def test_lists_within_lists_have_no_room_in_a_message(text: str) -> None:
    """One of them took 89 s and 2.3 GB where ten seconds were allowed."""
    [mistake] = compile_template(text, WIDE) or [None]  # type: ignore[misc]
    assert "no message has room" in mistake.message


@pytest.mark.parametrize(
    "text",
    [
        "{row.list.map(a, row.name + row.name + row.name)}",
        "{size(row.list.map(a, row.list.map(b, row.list.map(c, row.list))))}",
        "{row.name} {row.list} {row.name}",
    ],
)
def test_a_thousand_messages_take_seconds_whatever_they_compute(text: str) -> None:
    made = compile_template(text, WIDE)
    assert isinstance(made, Template)
    data = {"row.name": "n" * 1_000_000, "row.list": [f"x{i}" for i in range(60)]}
    room, start = Room(), time.process_time()
    texts = [made.fill(data, room) for _ in range(1000)]
    assert time.process_time() - start < 20
    assert max(map(len, texts)) < 10_000
    assert texts == [
        made.fill(data, again) for again in [Room()] for _ in range(1000)
    ]  # the same facts, the same words

import time

import pytest

from runbook.judge.expression import Undecided, Variables
from runbook.judge.expression_mistakes import ExpressionMistake
from runbook.judge.template import Room, Template, compile_template, show

VARIABLES = Variables(
    {"row.name": "string", "row.size": "int", "row.settings": "map[string]", "row.at": "timestamp", "now": "timestamp"}
)


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


@pytest.mark.parametrize(
    ("at", "said"),
    [
        ("2026-11-27T12:20:55.135Z", "2026-11-27 12:20:55 UTC (34 seconds ago)"),
        ("2026-11-27T12:21:28.500Z", "2026-11-27 12:21:28 UTC (1 second ago)"),
        ("2026-11-27T11:21:30+00:00", "2026-11-27 11:21:30 UTC (60 minutes ago)"),
        ("2026-12-27T12:21:30Z", "2026-12-27 12:21:30 UTC (in 30 days)"),
        ("1970-01-01T00:00:00Z", "1970-01-01 00:00:00 UTC (56 years ago)"),
        ("2026-11-27T12:21:30.4Z", "2026-11-27 12:21:30 UTC"),
        (None, "?"),
    ],
)
def test_a_moment_is_shown_with_how_long_ago_it_was(at: str | None, said: str) -> None:
    made = compile_template("of {row.at}", VARIABLES)
    assert isinstance(made, Template)
    assert made.fill({"row.at": at, "now": "2026-11-27T12:21:30Z"}) == f"of {said}"


def test_what_is_not_known_shows_as_a_question_mark() -> None:
    assert filled("{row.name} has {row.size}", name="a", size=None) == "a has ?"


@pytest.mark.parametrize(
    ("size", "said"),
    [(1, "1 broker is late"), (2, "2 brokers are late"), (0, "0 brokers are late"), (None, "? brokers are late")],
)
def test_the_word_that_goes_with_a_number_is_chosen(size: int | None, said: str) -> None:
    assert filled("{row.size} {row.size|broker is|brokers are} late", size=size) == said


@pytest.mark.parametrize(
    ("brokers", "said"),
    [
        ([1], "broker 1 down"),
        ([1, 3], "brokers 1, 3 down"),
        ([], "no broker down"),
        (None, "? down"),
    ],
)
def test_the_items_of_a_list_stand_behind_the_word_for_so_many(brokers: list[int] | None, said: str) -> None:
    variables = Variables({"row.brokers": "list[int]"})
    made = compile_template("{row.brokers|broker|brokers} down", variables)
    assert isinstance(made, Template)
    assert made.fill({"row.brokers": brokers}) == said
    assert bool(made.fill_if_known({"row.brokers": brokers}, {"row.brokers"}, Room())) == (brokers is not None)


def test_a_list_without_a_word_and_without_items_is_nothing() -> None:
    made = compile_template("gone{row.brokers| | }", Variables({"row.brokers": "list[int]"}))
    assert isinstance(made, Template)
    assert [made.fill({"row.brokers": given}) for given in ([], [1, 3])] == ["gone", "gone1, 3"]


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


def test_values_in_code_that_people_paste_are_words_of_a_shell() -> None:
    text = "Stop {row.name}: `kill --name {row.name} --of a:{row.name}`, then wait for {row.name}."
    plain, pasted = compile_template(text, VARIABLES), compile_template(text, VARIABLES, pasted=True)
    assert isinstance(plain, Template)
    assert isinstance(pasted, Template)
    hostile = {"row.name": "x; rm"}
    assert plain.fill(hostile) == "Stop x; rm: `kill --name x; rm --of a:x; rm`, then wait for x; rm."
    assert pasted.fill(hostile) == "Stop x; rm: `kill --name 'x; rm' --of a:'x; rm'`, then wait for x; rm."
    assert pasted.fill({"row.name": None}) == "Stop ?: `kill --name ? --of a:?`, then wait for ?."

"""Mistakes in expressions are told in words of those who write runbooks, and none hides another."""

import pytest

from runbook.judge.expression import Variables
from runbook.judge.expression_mistakes import ExpressionMistake, explained
from support.proportion import grows_in_proportion

TYPES = {
    "row.size": "int",
    "row.ratio": "float",
    "row.ok": "bool",
    "row.name": "string",
    "row.at": "timestamp",
    "row.brokers": "list[int]",
    "now": "timestamp",
}


def mistakes(text: str) -> list[ExpressionMistake]:
    made = Variables(TYPES).compile(text)
    assert isinstance(made, list), "it should not compile"
    return made


@pytest.mark.parametrize(
    ("text", "message", "remedy"),
    [
        ('row.name.startswith("a")', 'unknown function "startswith"', "did you mean startsWith?"),
        ("len(row.brokers) > 2", 'unknown function "len"', "write size."),
        ("row.brokers.all(x > 1)", "all takes a name for each element", "write all(x, x > 0)"),
        ("now - row.at > 24h", "a length of time is written otherwise", 'duration("24h")'),
        ("now - row.at > 7d", "a length of time is written otherwise", 'duration("168h")'),
        ('now - row.at > duration("7d")', "CEL's longest unit of time is the hour", 'duration("168h")'),
        ("row.size > 3GB", "a size with a unit", "1024"),
        ("row.size = 3", "a single =", "write =="),
        ("row.size =< 3", "= before < or >", "write <= or >="),
        ("row.ok and row.size > 3", "the word and", "write &&"),
        ("row.ok or row.size > 3", "the word or", "write ||"),
        ("not row.ok", "the word not", "write !"),
        ("row.name not in ['a']", "not in", "write !(x in list)"),
        ("row.size is 3", "the word is", "write =="),
        ("row.name like 'a%'", "matching a pattern", "matches("),
        (r'row.name.matches("^\d+$")', "a backslash in quotes", r'twice, or r before the quotes: r"^\d+$"'),
        ("row.name.matches('[a-')", "invalid regular expression: missing ]: [a-", "patterns are those of RE2"),
        (r'row.name.matches(r"^a(?!b)")', "invalid regular expression: invalid perl operator: (?!", "RE2"),
        ("if row.ok", "the word if", "condition ? this : that"),
        ("row.size >", "Syntax error: it ends where something should follow", ""),
        ("row.size >= duration('10s')", ">= can't be put between a whole number and a length of time", "column's unit"),
        ("row.ratio < 3", "< can't be put between a number with a fraction and a whole number", "write 3.0"),
        ("row.size > '3'", "> can't be put between a whole number and a text", "without quotes"),
        ("row.at > '2026-01-01'", "> can't be put between a point in time and a text", "timestamp("),
        ("row.name == null", "== can't be put between a text and null", "leave it out"),
        ("row.brokers == 3", "== can't be put between a list and a whole number", "each: judges row by row"),
        ("!row.size", "! does not take a whole number", ""),
    ],
)
def test_habits_of_other_languages_are_told_what_to_write_here(text: str, message: str, remedy: str) -> None:
    assert any(message in mistake.message and remedy in mistake.remedy for mistake in mistakes(text)), mistakes(text)


def test_a_mistake_of_grammar_hides_no_mistaken_name() -> None:
    found = mistakes("row.siez > 3 and row.name == 'and row.nix'")
    assert [(mistake.message, mistake.column) for mistake in found] == [
        ('unknown name "row.siez"', 1),
        ("the word and is written otherwise in CEL", 14),
    ]


def test_a_wrong_pattern_has_its_place() -> None:
    [mistake] = mistakes('row.ok &&\n  row.name.matches( "^[a-z.-+$" )')
    assert (mistake.line, mistake.column) == (2, 21)
    [escape] = mistakes('row.ok &&\n  row.name.matches("a\\.b\\.c")')
    assert (escape.line, escape.column) == (2, 22)


@pytest.mark.parametrize(
    "pattern", [r'"^a\\.b$"', r'r"^\d+$"', r"'(?i)[a-z]+'", r'"\x41"', "row.name", r'"a" + "("', r'r"\."']
)
def test_a_pattern_that_can_be_judged_is_no_mistake(pattern: str) -> None:
    assert not isinstance(Variables(TYPES).compile(f"row.name.matches({pattern})"), list)


def test_a_quoted_text_is_no_habit() -> None:
    [mistake] = mistakes('row.name == "7d and not in =" &&')
    assert mistake.message.startswith("Syntax error")


def test_what_is_not_known_of_the_binding_is_told_as_it_stands() -> None:
    assert [mistake.message for mistake in explained("something else\nmore", "row.ok", TYPES)] == ["something else"]
    assert [mistake.message for mistake in explained("", "row.ok", TYPES)] == ["can't be compiled"]
    assert [mistake.message for mistake in explained("ERROR: <input>:1:2: a new one", "row.ok", TYPES)] == ["a new one"]


def test_what_follows_from_a_mistake_is_not_told_beside_it() -> None:
    assert [mistake.message for mistake in mistakes("row.brokers == 3 || row.brokers.map(x, x > 1) || row.ok")] == [
        "== can't be put between a list and a whole number"
    ]


def test_functions_of_their_own_kind_are_told_what_they_do_not_take() -> None:
    [mistake] = mistakes("row.name.contains(3)")
    assert (mistake.message, mistake.remedy) == ("contains does not take a text and a whole number", "")
    [mistake] = mistakes("row.ok + row.ok == row.ok")
    assert (mistake.message, mistake.remedy) == ("+ can't be put between true or false and true or false", "")


@pytest.mark.parametrize("name", ["row.brokers", "row.name"])
def test_how_many_there_are_is_told_by_a_function(name: str) -> None:
    [mistake] = mistakes(f"{name}.length == 3")
    assert mistake.remedy == "write size(column) for how many there are"
    assert "has no part" in mistake.message


@pytest.mark.parametrize(
    ("piece", "times"), [('"\\', 20_000), ('\\"', 20_000), ("\\'\"", 15_000), ("'\\\"", 15_000), ('"', 20_001)]
)
def test_quotes_that_are_never_closed_take_time_in_proportion(piece: str, times: int) -> None:
    assert mistakes(f"row.ok && {piece * times}")
    assert grows_in_proportion(lambda size: mistakes(f"row.ok && {piece * size}"), times)

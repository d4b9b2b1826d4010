"""A finding is at the field of the part of its expectation that does not hold."""

from typing import Any

import pytest

from runbook.judge.expression import Expression, Variables
from runbook.judge.judged_row import _blamed

TYPES = {
    "t.a": "int",
    "t.b": "int",
    "t.ab": "int",
    "t.names": "list[string]",
    "t.name": "string",
    "params.least": "int",
}
WELL: dict[str, Any] = {"t.a": 3, "t.b": 3, "t.ab": 3, "t.names": ["x"], "t.name": "x", "params.least": 3}


@pytest.mark.parametrize(
    ("text", "bad", "columns"),
    [
        ("t.a >= params.least", {"t.a": 1}, ["a"]),
        ("t.a >= params.least && t.b >= params.least", {"t.a": 1}, ["a"]),
        ("t.a >= params.least && t.b >= params.least", {"t.b": 1}, ["b"]),
        ("t.a >= params.least\n  && t.b > t.a", {"t.b": 1}, ["b", "a"]),
        ("(t.a >= 3 && t.b >= 3) && t.ab >= 3", {"t.ab": 1}, ["ab"]),
        ("(t.a >= 3 && t.b >= 3) && t.ab >= 3", {"t.b": 1}, ["a", "b"]),
        ("t.a >= 3 && t.b >= 3 || t.ab > 3", {"t.b": 1}, ["a", "b", "ab"]),
        ("t.ab > 3 ? t.b > 3 && t.a > 3 : t.b >= 3", {"t.b": 1}, ["ab", "b", "a"]),
        ('t.name != "&& (" && t.a >= 3', {"t.a": 1}, ["a"]),
        ('t.names.exists(one, one == "y" && one != t.name) && t.a >= 3', {}, ["names", "name"]),
        ("t.a >= 3 && t.b >= 3", {"t.b": None}, ["b"]),
        ("t.a >= 3 && t.b >= 3", {}, ["a", "b"]),
    ],
)
def test_columns_are_those_of_the_part_that_does_not_hold(text: str, bad: dict[str, Any], columns: list[str]) -> None:
    compiled = Variables(TYPES).compile(text)
    assert isinstance(compiled, Expression)
    assert _blamed(compiled, "t", WELL | bad) == columns

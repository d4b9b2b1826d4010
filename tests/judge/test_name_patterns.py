from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from runbook.judge.expression import Expression, Undecided, Variables
from runbook.judge.name_patterns import MANY, answers_to, with_answers

TYPES = {"topic.name": "string", "topic.names": "list[string]", "topic.size": "int", "params.not": "string"}
INTERNAL = "^(_.*|connect-.*|mm2-.*|heartbeats|.*[.](dlq|DLT|dlt)|.*-(changelog|repartition|dlq|dlt|retry))$"
CONNECT = "^((.+[-_.])?connect(or)?s?[-_.](configs?|offsets?|status(es)?))$"


def expression(text: str) -> Expression:
    made = Variables(TYPES).compile(text)
    assert isinstance(made, Expression), made
    return made


@given(
    st.text("ab.-_^$|()[]?*+", max_size=12) | st.from_regex(r"\A\^?\(?[ab.]\*?(\|[ab-]\??)*\)?\$?\Z"),
    st.lists(st.text("ab.-_^$ A", max_size=8), min_size=1),
)
@example("[a-b-_]", ["-", "a", "_", "c"])
@example("a*+", ["aa"])
@example("a$b", ["a$b"])
@example("[]a]", ["]"])
@example("()", [""])
def test_what_is_said_of_names_is_what_cel_says(pattern: str, names: list[str]) -> None:
    cel = expression("topic.name.matches(params.not)")
    answers = answers_to(pattern, names)
    assert answers is None or answers == [cel.value({"topic.name": name, "params.not": pattern}) for name in names]


@pytest.mark.parametrize("pattern", [INTERNAL, CONNECT, "-changelog$", "^(kafkasql-.*|registry-events)$", ""])
def test_patterns_of_topics_are_searched_outside_of_cel(pattern: str) -> None:
    names = ["__consumer_offsets", "a.dlq", "shop-connect-offsets", "orders", "app-store-changelog", None]
    cel = expression("topic.name.matches(params.not)")
    assert answers_to(pattern, names) == [
        name and cel.value({"topic.name": name, "params.not": pattern}) for name in names
    ]


@pytest.mark.parametrize(
    "pattern",
    [
        *(r"\d", "(?i)a", "a{2}", "[[:alpha:]]", "a*+", "a*?", "(a*)*", "ä", "(a", "[b-a]", "[a--]"),
        ".*.*",  # 62,000 ways of a long name
        "(a|a)" * 20,
        "a?" * 20 + "a" * 20,
    ],
)
def test_what_re_may_read_otherwise_or_takes_long_for_is_left_to_cel(pattern: str) -> None:
    assert answers_to(pattern, ["a"]) is None


@pytest.mark.parametrize("name", ["a\n", "ä", "a" * 256])
def test_names_of_other_signs_or_lengths_are_left_to_cel(name: str) -> None:
    assert answers_to("a$", ["a", name]) is None


@pytest.mark.parametrize(
    ("text", "rewritten"),
    [
        ('!topic.name.matches("^(" + params.not + ")$")', "!matched_by_pattern.n0"),
        ("topic.name.matches('a') || topic.name.matches(params.not)", "matched_by_pattern.n0 || matched_by_pattern.n1"),
        ('"topic.name.matches(params.not)" == topic.name', None),
        ("'it''s' == topic.name || topic.name.matches(topic.name)", None),
        ("topic.names.exists(topic, topic.matches('a'))", None),
        ("topic.names.exists(one, topic.name.matches('a'))", None),
        ("topic.size > 0 // topic.name.matches('a')", None),
        ("string(topic.size).matches('a')", None),
    ],
)
def test_answers_stand_where_names_are_searched_for_a_constant(text: str, rewritten: str | None) -> None:
    made, tests = with_answers(text, TYPES)
    assert made == (rewritten or text)
    assert bool(tests) == bool(rewritten)


@pytest.mark.parametrize("pattern", ["^b|c$", r"^\d", "(", INTERNAL])
@pytest.mark.parametrize("name", ["b", "c\n", "orders-dlq", None])
def test_many_rows_are_answered_as_each_is(pattern: str, name: str | None) -> None:
    made = expression("topic.size > 1 || !topic.name.matches(params.not)")
    columns: dict[str, list[Any]] = {"topic.name": ["a", name, "1"] * MANY, "topic.size": [1, 1, 2] * MANY}
    rows = [{"topic.name": each, "topic.size": size} for each, size in (("a", 1), (name, 1), ("1", 2))]
    expected = [made.value({**row, "params.not": pattern}) for row in rows]
    assert made.each(columns, {"params.not": pattern}, 3 * MANY) == expected * MANY


def test_cel_is_not_asked_for_each_name(monkeypatch: pytest.MonkeyPatch) -> None:
    made = expression("!topic.name.matches(params.not)")
    monkeypatch.setattr(made, "_decide_row", lambda _: Undecided("asked"))
    names = [f"topic-{row}" for row in range(MANY)]
    assert made.each({"topic.name": names}, {"params.not": INTERNAL}, MANY) == [True] * MANY

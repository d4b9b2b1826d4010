import re
from functools import cache
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from runbook.judge.compiled import compile_check
from runbook.judge.expression import Expression, Undecided, Variables
from runbook.judge.name_tests import MANY, found_in, with_answers
from support.built_in import all_built_in
from support.declared import causes

TYPES = {
    "topic.name": "string",
    "topic.names": "list[string]",
    "topic.size": "int",
    "params.not": "string",
    "params.meant": "list[string]",
}
INTERNAL = "^(_.*|connect-.*|mm2-.*|heartbeats|.*[.](dlq|DLT|dlt)|.*-(changelog|repartition|dlq|dlt|retry))$"
CONNECT = (
    "^((.+[-_.])?(connect(or)?s?|connect-cluster|mirrormaker2-cluster)[-_.](configs?|offsets?|status(es)?)"
    "|mm2-(configs|offsets|status)[.].+[.]internal)$"
)


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
    answers = found_in(names, pattern)
    assert answers is None or answers == [cel.value({"topic.name": name, "params.not": pattern}) for name in names]


@pytest.mark.parametrize("pattern", [INTERNAL, CONNECT, "-changelog$", "^(kafkasql-.*|registry-events)$", ""])
def test_patterns_of_topics_are_searched_outside_of_cel(pattern: str) -> None:
    names = ["__consumer_offsets", "a.dlq", "shop-connect-offsets", "orders", "app-store-changelog", None]
    cel = expression("topic.name.matches(params.not)")
    assert found_in(names, pattern) == [
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
    assert found_in(["a"], pattern) is None


@pytest.mark.parametrize("name", ["a\n", "ä", "a" * 256])
def test_names_of_other_signs_or_lengths_are_left_to_cel(name: str) -> None:
    assert found_in(["a", name], "a$") is None


@pytest.mark.parametrize(
    ("text", "rewritten"),
    [
        ('!topic.name.matches("^(" + params.not + ")$")', "!ANSWER"),
        ("topic.name.matches('a') || topic.name.matches(params.not)", "ANSWER || ANSWER"),
        ('"topic.name.matches(params.not)" == topic.name', None),
        ("'it''s' == topic.name || topic.name.matches(topic.name)", None),
        ("topic.names.exists(topic, topic.matches('a'))", None),
        ("topic.names.exists(one, topic.name.matches('a'))", None),
        ("topic.size > 0 // topic.name.matches('a')", None),
        ("string(topic.size).matches('a')", None),
        ("topic.size > 0 && topic.name == 'a'", "topic.size > 0 && ANSWER"),
        ("topic.name == 'a' || !(topic.name in params.meant)", "ANSWER || !(ANSWER)"),
        ("topic.name == 'a' || params.not == 'b'", "ANSWER || params.not == 'b'"),
        ("""topic.name in ["a", 'b'] ? true : topic.name==params.not""", "ANSWER ? true : ANSWER"),
        ("(topic.name in ['a, b'])", "(ANSWER)"),
        ("topic.name == 'a' + params.not", "ANSWER"),
        ("topic.name == topic.name", None),
        ("topic.name == params.meant[0]", None),
        ("topic.name == 'a'.lowerAscii()", None),
        ("topic.name in params.meant + ['a']", None),
        ("topic.name in [params.not]", None),
        ("topic.size in [1]", None),
        ("topic.name != 'a'", None),
    ],
)
def test_answers_stand_where_names_are_searched_for_a_constant(text: str, rewritten: str | None) -> None:
    made, tests = with_answers(text, TYPES)
    numbers = iter(range(9))
    assert made.replace(" ", "") == re.sub("ANSWER", lambda _: f"answered.n{next(numbers)}", rewritten or text).replace(
        " ", ""
    )
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


@pytest.mark.parametrize("text", ["topic.name in params.meant", "topic.name == params.meant_most"])
def test_cel_is_not_asked_which_of_many_names_is_meant(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    made = Variables({**TYPES, "params.meant_most": "string"}).compile(text)
    assert isinstance(made, Expression)
    monkeypatch.setattr(made, "_decide_row", lambda _: Undecided("asked"))
    constants = {"params.meant": ["topic-1", "other"], "params.meant_most": "topic-1"}
    names = [f"topic-{row}" for row in range(MANY)]
    assert made.each({"topic.name": names}, constants, MANY) == [name == "topic-1" for name in names]


@cache
def of_built_in_runbooks() -> list[Expression]:
    """The expressions of built-in runbooks that test names."""
    checks = [compile_check(placed) for book in all_built_in() for placed in book.checks()]
    blocks = [*checks, *(cause.compiled for cause in causes())]
    expressions = [one for block in blocks for one in (block.applies, block.where, block.that) if one is not None]
    return [one for one in expressions if with_answers(one.text, one.types)[1]]


def cells(kind: str, texts: list[str]) -> st.SearchStrategy[Any]:
    """Cells of a type: texts are mostly those of the expression."""
    if kind.startswith("list"):
        return st.none() | st.lists(cells(kind[5:-1], texts).filter(lambda cell: cell is not None), max_size=3)
    text = st.sampled_from(texts) | st.text(max_size=3)
    known = {
        "string": text,
        "int": st.integers(-1, 3) | st.sampled_from([2**63 - 1, -(2**63)]),
        "float": st.floats(),
        "bool": st.booleans(),
        "timestamp": st.sampled_from(["2026-01-01T00:00:00Z", "1970-01-01T00:00:00Z", "never"]),
        "map[string]": st.dictionaries(text, text, max_size=2),
    }
    return st.none() | known[kind]


@given(st.data())
def test_expressions_of_built_in_runbooks_give_of_many_names_what_cel_gives(data: st.DataObject) -> None:
    made = data.draw(st.sampled_from(of_built_in_runbooks()))
    texts = ["", *re.findall(r"""["']([^"']*)["']""", made.text)]
    row = {name: cells(kind, texts) for name, kind in made.types.items()}
    same = ("params.", "env.", "link.", "now")
    constants = {name: data.draw(one) for name, one in row.items() if name.startswith(same)}
    varying = {name: one for name, one in row.items() if name not in constants}
    drawn = data.draw(st.lists(st.fixed_dictionaries(varying), min_size=1, max_size=5))
    tested = {test.name for test in with_answers(made.text, made.types)[1]}
    others = [{**drawn[0], **dict.fromkeys(tested, f"name-{place}")} for place in range(60)]
    rows = [*drawn, *others, *[drawn[-1]] * MANY]
    columns = {name: [each[name] for each in rows] for name in varying}
    once = [made.value({**constants, **each}) for each in (*drawn, *others)]
    assert made.each(columns, constants, len(rows)) == [*once, *[once[len(drawn) - 1]] * MANY]

import re
import time
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from runbook.model.errors import FilePosition, Invalid, Problem
from runbook.parse.yaml_document import MAX_BYTES, MAX_DEPTH, read_yaml


def value(text: str) -> Any:
    return read_yaml(text, "f.yaml").value


def refused(text: str) -> str:
    with pytest.raises(Invalid) as caught:
        read_yaml(text, "f.yaml")
    return str(caught.value)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("on", "on"),
        ("yes", "yes"),
        ("True", True),
        ("~", None),
        ("12", 12),
        ("-9223372036854775808", -(2**63)),
        ("9223372036854775807", 2**63 - 1),
        ("9223372036854775808", "9223372036854775808"),
        ("9" * 5000, "9" * 5000),
        ("1.5", 1.5),
        ("1e3", 1000.0),
        ("1e999", "1e999"),
        ("1_000", "1_000"),
        ("0x10", "0x10"),
        ("2026-12-31", "2026-12-31"),
        ("12:30:45", "12:30:45"),
        ("'12'", "12"),
        ("|\n  on", "on"),
        (".inf", ".inf"),
    ],
)
def test_plain_scalars_are_those_of_yaml_1_2(text: str, expected: object) -> None:
    read = value(f"a: {text}")["a"]
    assert (read, type(read)) == (expected, type(expected))


def test_keys_are_always_text() -> None:
    assert value("1: a\ntrue: b") == {"1": "a", "true": "b"}


def test_every_value_and_key_has_its_place() -> None:
    document = read_yaml("a:\n  - b: 1\n    c: [x, y]\n", "f.yaml", line=10, indent=2)
    assert document.place(("a", 0, "c", 1)) == FilePosition("f.yaml", 12, 14)
    assert document.key(("a", 0, "c")) == FilePosition("f.yaml", 12, 7)
    assert document.place(("a", 0, "nowhere", "deep")) == document.place(("a", 0))


def test_duplicate_keys_are_named_with_both_places() -> None:
    assert refused("a: 1\nb:\n  c: 1\n  c: 2\na: 3") == (
        'f.yaml:4:3  duplicate key "c"\n    it stands already in line 3\n'
        'f.yaml:5:1  duplicate key "a"\n    it stands already in line 1'
    )


BOMB = "a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\nd: [*c, *c]"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (BOMB, "f.yaml:1:4  anchors and aliases are not allowed"),
        ("a: &x 1", "anchors and aliases"),
        ("a: !!python/object/apply:os.system [true]", "tags such as tag:yaml.org,2002:python/object/apply:os.system"),
        ("a: !!int '5'", "tags such as"),
        ("a: !own 5", "tags such as !own are not allowed"),
        ("that: !topic.internal", "put the whole value in quotes: '!topic.internal'"),
        ("that: !(topic.internal)", "put the whole value in quotes: '!(topic.internal)'"),
        ('- that: "a" in topic.name', "put the whole value in quotes: '\"a\" in topic.name'"),
        ("that: 'a' in topic.name\nof: 1", "quotes: '''a'' in topic.name"),
        ("that: ['a'].exists(x, x == b)", "put the whole value in quotes: '[''a''].exists(x, x == b)'"),
        ("that: {'a': 1}['a'] == 1", "put the whole value in quotes: '{''a'': 1}[''a''] == 1'"),
        (
            "a: {b: c}}\nd: e",
            "f.yaml:1:10  not valid YAML: while parsing a block mapping: did not find expected key\n    check",
        ),
        ("a:\n  b: 'x'\n c: 'y'\n", "did not find expected key\n    check indentation, quotes and colons"),
        ("that: %x", "put the whole value in quotes: '%x'"),
        ("[" * 100_000, f"nested deeper than {MAX_DEPTH} levels"),
        ("\n".join(" " * i + "a:" for i in range(100)), f"nested deeper than {MAX_DEPTH} levels"),
        ("a" * (MAX_BYTES + 1), "characters of YAML"),
        ("a: [", "not valid YAML"),
        ("a: b: c", "f.yaml:1:5  not valid YAML: mapping values are not allowed"),
        ("a:\n  title: Names: of topics", 'put the text in quotes: "Names: of topics"'),
        ('a:\n  title: Names: "of" topics', "put the text in quotes: 'Names: \"of\" topics'"),
        ("- title: Names: of topics", 'put the text in quotes: "Names: of topics"'),
        ('a: 1\nb:\n  c: "d\n  e: f\ng: h\n', "f.yaml:3:6  a quote that opens here is never closed\n    close it"),
        ("a: {b: 'c, d: e}\nf: g", "f.yaml:1:8  a quote that opens here is never closed"),
        (
            "a: {password: ${KAFKA_PASSWORD}}",
            "nothing is put in for ${KAFKA_PASSWORD}; a credential is written {env: KAF",
        ),
        ("a: 1\n---\nb: 2", "expected a single document"),
        ("a: \x07", "not valid YAML"),
        ("names: {type: list[string], default: []}", 'put it in quotes: "list[string]"'),
        ("? [a]\n: b", "a key must be plain text"),
        ("\t- a", "a tab stands where YAML takes spaces only"),
    ],
)
def test_what_is_no_plain_yaml_is_refused_with_its_place(text: str, said: str) -> None:
    start = time.process_time()
    assert said in refused(text)
    assert time.process_time() - start < 2


def test_an_empty_document_is_nothing() -> None:
    assert value("") is None
    assert value("# only a comment") is None


# The writer follows YAML 1.1, where `0E0` and `0o7` are text that needs no quotes; the reader follows 1.2: numbers.
TEXTS = st.text(max_size=20).filter(lambda text: re.match(r"[-+.]*[0-9]", text) is None)
PLAIN = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-(2**63), 2**63 - 1), TEXTS),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(TEXTS, inner, max_size=3)),
    max_leaves=10,
)


@given(PLAIN)
@settings(max_examples=200)
def test_what_was_written_is_read(data: object) -> None:
    text = yaml.safe_dump(data, default_flow_style=False)
    if "!!" not in text:
        assert value(text) == data


@given(st.text(max_size=300))
@settings(max_examples=300)
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        read_yaml(text, "f.yaml")
    except Invalid as invalid:
        problems = invalid.problems
    else:
        return
    assert problems
    assert all(problem.place.line >= 1 and problem.place.column >= 1 for problem in problems)


@given(st.text(alphabet="ab:-[]{}|>&*!?#'\"%@ \n\t,", max_size=80))
@settings(max_examples=500)
def test_any_text_of_yamls_own_signs_is_read_or_refused(text: str) -> None:
    problems: tuple[Problem, ...] | None = None
    try:
        read_yaml(text, "f.yaml")
    except Invalid as invalid:
        problems = invalid.problems
    assert problems is None or problems


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a: &x 1\nb: *x", {"a": 1, "b": 1}),
        ("a: &x {p: 1}\nb: {<<: *x, q: 2}", {"a": {"p": 1}, "b": {"q": 2, "p": 1}}),
        ("a: &x {p: 1}\nb: {p: 2, <<: *x}", {"a": {"p": 1}, "b": {"p": 2}}),
        (
            "a: &x {p: 1}\nb: &y {p: 2, q: 2}\nc: {<<: [*x, *y]}",
            {"a": {"p": 1}, "b": {"p": 2, "q": 2}, "c": {"p": 1, "q": 2}},
        ),
        ("a: &x {p: 1}\nb: &y {<<: *x}\nc: {<<: *y}", {"a": {"p": 1}, "b": {"p": 1}, "c": {"p": 1}}),
        ('a: {"<<": 1}', {"a": {"<<": 1}}),
    ],
)
def test_aliases_are_what_they_stand_for_where_they_are_asked_for(text: str, expected: Any) -> None:
    assert read_yaml(text, "f.yaml", aliases=True).value == expected


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("a: &x [*x]", "a value holds itself"),
        ("a0: &a0 [1,1]\n" + "".join(f"a{i + 1}: &a{i + 1} [*a{i}, *a{i}]\n" for i in range(20)), "more than 100,000"),
        ("a0: &a0 {x: 1}\n" + "".join(f"a{i + 1}: &a{i + 1} {{k: *a{i}}}\n" for i in range(40)), "nested deeper"),
        ("a0: &a0 {x: 1}\n" + "".join(f"a{i + 1}: &a{i + 1} {{<<: [*a{i}, *a{i}]}}\n" for i in range(20)), "100,000"),
    ],
)
def test_aliases_can_not_grow_beyond_all_measure(text: str, says: str) -> None:
    with pytest.raises(Invalid, match=says):
        read_yaml(text, "f.yaml", aliases=True)


@pytest.mark.parametrize("anchor", ["", "&x "], ids=["plain", "with an anchor"])
@pytest.mark.parametrize("opened", ["- ", "[", "{a: "])
def test_the_depth_is_the_same_with_an_anchor_and_without(opened: str, anchor: str) -> None:
    closed = {"[": "]", "{a: ": "}"}.get(opened, "")

    def nested(levels: int) -> str:
        return f"{opened * levels}{anchor}x{closed * levels}"

    assert read_yaml(nested(MAX_DEPTH), "f.yaml", aliases=True).value
    with pytest.raises(Invalid, match=f"nested deeper than {MAX_DEPTH} levels"):
        read_yaml(nested(MAX_DEPTH + 1), "f.yaml", aliases=True)

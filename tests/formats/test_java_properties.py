from hypothesis import given
from hypothesis import strategies as st

from runbook.formats.java_properties import Property, read_properties


def pairs(text: str) -> dict[str, str]:
    return {entry.name: entry.value for entry in read_properties(text)}


def test_every_separator_separates_and_spaces_around_it_are_nothing():
    text = "acks=all\nretries : 5\nlinger.ms 20\n  group.id\t=\tbilling\nempty=\nalone\n"
    assert pairs(text) == {
        "acks": "all",
        "retries": "5",
        "linger.ms": "20",
        "group.id": "billing",
        "empty": "",
        "alone": "",
    }


def test_comments_and_empty_lines_count_as_lines_only():
    assert read_properties("# one\n\n! two\nacks=1 # not a comment\n") == [Property("acks", "1 # not a comment", 4)]


def test_a_backslash_at_the_end_continues_and_two_do_not():
    text = "bootstrap.servers=a:9092,\\\n    b:9092\nx=c\\\\\ny=1"
    assert read_properties(text) == [
        Property("bootstrap.servers", "a:9092,b:9092", 1),
        Property("x", "c\\", 3),
        Property("y", "1", 4),
    ]


def test_escapes_mean_what_java_means():
    assert pairs(r"a\=b\:c=\u00e9\tx\q") == {"a=b:c": "é\txq"}


def test_of_a_name_twice_both_are_given_in_order():
    assert [(entry.value, entry.line) for entry in read_properties("acks=1\racks=all\r\n")] == [("1", 1), ("all", 2)]


@given(st.text())
def test_no_text_is_refused(text: str):
    assert all(entry.line >= 1 for entry in read_properties(text))

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from runbook.reports._wrapping import breaks_in, lines_of

NAME = "nobody-comes-in-without-credentials"


def test_a_name_that_is_longer_than_a_line_breaks_after_one_of_its_marks() -> None:
    assert lines_of(NAME, 24) == ["nobody-comes-in-without-", "credentials"]
    assert lines_of("/var/lib/kafka/data", 10) == ["/var/lib/", "kafka/data"]
    assert lines_of("kafka-1.example", 10) == ["kafka-1.", "example"]


def test_a_name_that_fits_a_line_is_not_broken() -> None:
    assert lines_of(f"see {NAME} first", len(NAME)) == ["see", NAME, "first"]


def test_a_name_begins_on_a_line_where_a_part_of_it_fits() -> None:
    assert lines_of(f"in {NAME}", 20) == ["in nobody-comes-in-", "without-credentials"]
    assert lines_of("in abcdefghijkl-mno", 10) == ["in", "abcdefghij", "kl-mno"]


def test_what_has_no_mark_is_broken_where_the_line_ends() -> None:
    assert lines_of("a" * 7, 3) == ["aaa", "aaa", "a"]
    assert lines_of("", 3) == [""]


def test_a_number_and_the_sign_of_percent_stay_together() -> None:
    assert lines_of("it is below 100 %, and then", 15) == ["it is below", "100 %, and then"]
    assert lines_of("100 % of it", 5) == ["100 %", "of it"]
    assert lines_of("all % of it", 4) == ["all", "% of", "it"]  # of no number
    text = "below 100 % of all"
    assert [text[a:b] for a, b in pairwise([0, *breaks_in(text, 9), len(text)])] == ["below ", "100 % of ", "all"]
    assert lines_of("100 %", 3) == ["100", "%"]  # no line is too long


@given(st.text("ab1%-/. \n\u4e00", max_size=60), st.integers(1, 20))
def test_no_character_is_lost_and_no_line_too_long(text: str, room: int) -> None:
    assert "".join(lines_of(text, room)).replace(" ", "") == "".join(text.split())
    assert all(len(line) <= room for line in lines_of(text, room))
    begins = [0, *breaks_in(text, room), len(text)]
    assert begins == sorted(begins)
    assert all(len(text[a:b].strip()) <= room for a, b in pairwise(begins))

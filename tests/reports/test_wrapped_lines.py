import re
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from runbook.judge.first_step import Wording, with_code
from runbook.reports._wrapped_lines import breaks_in, lines_of, lines_with_code

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


def test_a_command_stands_whole_on_a_line_of_its_own_without_the_mark_behind_it() -> None:
    command = "set --all 'a=1,b=2,c=3'"
    said = f"Set it for all, by `{command}`, then wait. Effort: minutes."
    assert lines_with_code(with_code(said), 20) == [
        "Set it for all, by",
        f"  {command}",
        "then wait. Effort:",
        "minutes.",
    ]
    assert lines_with_code(with_code(f"Set it:\n```sh\n{command}\n```"), 80) == ["Set it:", f"  {command}"]
    assert lines_with_code([Wording(command, "block")], 10) == [command]
    assert lines_with_code([Wording(command, "code")], 10) == [command]
    assert lines_with_code([], 10) == [""]


def test_code_that_finds_room_among_the_words_stays_there_unbroken() -> None:
    assert lines_with_code(with_code("See `ps -e`, then wait"), 12) == ["See ps -e,", "then wait"]
    assert lines_with_code(with_code("See now `ps -e`."), 12) == ["See now", "  ps -e"]
    assert lines_with_code(with_code("See to all `topics`"), 12) == ["See to all", "topics"]
    assert lines_with_code(with_code(f"See (`{NAME}`)"), 24) == ["See (", f"  {NAME}", ")"]


def test_code_finds_room_with_all_that_sticks_to_it_in_however_many_pieces() -> None:
    pieces = [Wording("in "), Wording("c/c", "code"), Wording("a"), Wording("a")]
    assert lines_with_code(pieces, 7) == ["in", "c/caa"]
    assert lines_with_code(pieces, 4) == ["in", "  c/c", "aa"]


@given(
    st.lists(st.tuples(st.text("ab-/. ", max_size=30), st.text("cd -/", min_size=1, max_size=30))), st.integers(2, 30)
)
def test_no_code_is_broken_and_no_line_of_words_too_long(parts: list[tuple[str, str]], room: int) -> None:
    pieces: list[Wording] = []
    for words, code in parts:
        pieces += [Wording(words), Wording(" ".join(code.split()), "code")]
    pieces = [piece for piece in pieces if piece.text]
    lines = lines_with_code(pieces, room)
    codes = [piece.text for piece in pieces if piece.kind == "code"]
    left = "\n".join(lines)
    for code in codes:
        assert code in left
        left = left[left.index(code) + len(code) :]
    assert all(len(line) <= room or line.strip() in codes for line in lines)
    letters = [re.sub(r"[^abcd]", "", text) for text in ("".join(piece.text for piece in pieces), "".join(lines))]
    assert letters[0] == letters[1]

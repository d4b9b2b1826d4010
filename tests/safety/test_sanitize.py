import json
import unicodedata

import pytest

from runbook.safety.sanitize import sanitize, sanitize_json, sanitize_lines
from support.hostile_values import HUGE, VALUES

ACTS = {"Cc", "Cf", "Cs", "Zl", "Zp"}


@pytest.mark.parametrize("value", VALUES)
def test_nothing_of_it_acts_on_a_terminal(value: str) -> None:
    assert not {char for char in sanitize(value) if unicodedata.category(char) in ACTS}
    assert not {char for char in sanitize_lines(value) if unicodedata.category(char) in ACTS} - {"\n", "\t"}


def test_what_only_shows_stays_as_it_is() -> None:
    text = "a → b · 漢字 ✓ «hidden»"
    assert sanitize(text) == sanitize_lines(text) == text
    assert sanitize_lines("a\n\tb\n") == "a\n\tb\n"
    assert sanitize("a\tb\r\n") == "a\\tb\\r\\n"


def test_a_long_text_takes_time_in_proportion() -> None:
    assert sanitize_lines(HUGE).count("\\x1b[31m") == HUGE.count("\x1b")


@pytest.mark.parametrize("value", VALUES)
def test_json_of_it_reads_the_same_and_only_shows(value: str) -> None:
    text = sanitize_json({value: [value]})
    assert json.loads(text) == {value: [value]}
    assert not {char for char in text if unicodedata.category(char) in ACTS} - {"\n"}
    assert "«hidden» → 漢字" in sanitize_json("«hidden» → 漢字")

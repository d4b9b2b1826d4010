"""What files say of numbers, whichever tool they are for."""

from typing import Any

import pytest

from runbook.formats.statements import whole_number


@pytest.mark.parametrize(
    ("given", "number"),
    [
        (3, 3),
        ("3", 3),
        (" -1 ", -1),
        (3.0, 3),
        (2.5, None),
        (True, None),
        ("x", None),
        ("9" * 5000, None),
        (1e38, None),
    ],
)
def test_a_whole_number_may_be_text_and_is_never_too_great(given: Any, number: int | None):
    assert whole_number(given) == number

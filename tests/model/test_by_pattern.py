import pytest

from runbook.model.by_pattern import seconds_of
from runbook.model.errors import Misconfigured


def test_the_first_pattern_that_fits_tells_the_seconds() -> None:
    declared = seconds_of(["pay*=10", "*=300"])
    assert (declared("payments"), declared("orders")) == (10, 300)
    assert seconds_of(["pay*=10"])("orders") is None
    assert seconds_of(None)("orders") is None


@pytest.mark.parametrize("entry", ["orders", "=5", "orders=", "orders=5s"])
def test_seconds_are_declared_as_pattern_and_number(entry: str) -> None:
    with pytest.raises(Misconfigured, match="write PATTERN=SECONDS"):
        seconds_of([entry])

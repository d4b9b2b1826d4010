"""When a check has a meaning: all of it is said, or it is a mistake."""

import msgspec
import pytest

from runbook.model.applicability import Applicability

WHOLE = {"each": "broker", "that": "broker.rack != ''", "otherwise": "no broker names a rack"}


def test_it_says_of_which_rows_what_must_be_true_and_what_is_said_otherwise() -> None:
    assert msgspec.convert(WHOLE, Applicability) == Applicability(
        "broker", "broker.rack != ''", "no broker names a rack"
    )


@pytest.mark.parametrize("changed", [{"otherwise": "no"}, {"that": ""}, {"each": "Broker"}, {"unless": "x"}])
def test_a_part_that_says_nothing_is_refused(changed: dict[str, str]) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(WHOLE | changed, Applicability)

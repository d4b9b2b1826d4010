"""What a check's author may write where there is nothing to judge: a failure or none, with its reason; never a pass."""

import msgspec
import pytest

from runbook.model.where_none import WhereNone


@pytest.mark.parametrize("said", [{"outcome": "pass", "message": "none"}, {"outcome": "fail"}, {"message": "none"}])
def test_it_needs_a_reason_and_is_no_pass(said: dict[str, str]) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(said, WhereNone)

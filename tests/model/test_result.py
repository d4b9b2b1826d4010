import pytest

from runbook.model.result import Outcome, Verdict, WaiverUse
from support.small_runbooks import result


def test_there_are_four_outcomes_and_none_by_default() -> None:
    assert [str(outcome) for outcome in Outcome] == ["pass", "fail", "unknown", "not_applicable"]
    with pytest.raises(TypeError):
        Verdict()  # type: ignore[call-arg]


@pytest.mark.parametrize(
    ("outcome", "rows", "waived"),
    [
        (Outcome.FAIL, 2, True),
        (Outcome.FAIL, 1, False),
        (Outcome.FAIL, None, False),
        (Outcome.UNKNOWN, 2, False),
        (Outcome.PASS, 2, False),
    ],
)
def test_only_a_failure_that_a_waiver_covers_whole_is_waived(
    outcome: Outcome, rows: int | None, *, waived: bool
) -> None:
    waiver = None if rows is None else WaiverUse("alice", "because of that", "2026-12-31", rows)
    assert result("small/a", "prod", outcome, failed=2, waiver=waiver).waived is waived

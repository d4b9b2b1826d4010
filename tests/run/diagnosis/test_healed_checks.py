"""What became of checks from one look to the next."""

import pytest

from runbook.model.result import Outcome
from runbook.model.run import Run
from runbook.run.diagnosis.healed_checks import Shrinking, healing
from support.small_runbooks import result


def look(second: int, **outcomes: tuple[Outcome, int]) -> Run:
    """A run that began at that second: check → its outcome and its failing rows."""
    results = [result(f"ha/{name}", "prod", outcome, failed=failed) for name, (outcome, failed) in outcomes.items()]
    began = f"2026-11-24T07:00:{second:02}.000Z"
    return Run("r", "0", "manual", complete=True, started_at=began, deadline_ms=1, results=results)


FAILS, PASSES = (Outcome.FAIL, 1), (Outcome.PASS, 0)
UNKNOWN, DOES_NOT_APPLY = (Outcome.UNKNOWN, 0), (Outcome.NOT_APPLICABLE, 0)


@pytest.mark.parametrize(("then", "now", "way"), [
    (FAILS, PASSES, "passes"),
    (UNKNOWN, PASSES, "passes"),
    (FAILS, DOES_NOT_APPLY, "passes"),
    (PASSES, FAILS, "fails"),
    (UNKNOWN, FAILS, "fails"),
    (FAILS, UNKNOWN, "unknown"),
    (PASSES, UNKNOWN, "unknown"),
    (PASSES, DOES_NOT_APPLY, ""),
    (FAILS, FAILS, ""),
])  # fmt: skip
def test_each_turn_is_told_once(then: tuple[Outcome, int], now: tuple[Outcome, int], way: str) -> None:
    found = healing(look(0, a=then), look(5, a=now))
    ways = {"passes": found.passes, "fails": found.fails, "unknown": found.unknown}
    assert {name for name, checks in ways.items() if checks == ["ha/a"]} == {way} - {""}
    assert sum(map(len, ways.values())) == bool(way)


def test_what_heals_row_by_row_has_an_estimate() -> None:
    found = healing(
        look(0, a=(Outcome.FAIL, 40), b=(Outcome.FAIL, 3)), look(6, a=(Outcome.FAIL, 30), b=(Outcome.FAIL, 3))
    )
    assert found.shrinking == [Shrinking("ha/a", 40, 30, 18.0)]


def test_what_grows_or_ends_has_none() -> None:
    assert healing(look(0, a=(Outcome.FAIL, 3)), look(6, a=(Outcome.FAIL, 4))).shrinking == []
    assert healing(look(0, a=(Outcome.FAIL, 3)), look(6, a=PASSES)).shrinking == []
    assert healing(look(6, a=(Outcome.FAIL, 3)), look(6, a=(Outcome.FAIL, 2))).shrinking == []  # no time passed


def test_a_check_that_is_new_tells_nothing() -> None:
    found = healing(look(0), look(5, a=FAILS))
    assert found.fails == []

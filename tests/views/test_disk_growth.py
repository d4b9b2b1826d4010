from typing import Any

import pytest

from runbook.model.fact import Fact, tabulate
from runbook.views.disk_growth import VIEW, compute

_NOW, _YESTERDAY, _WEEK = "2026-01-08T00:00:00.000Z", "2026-01-07T00:00:00.000Z", "2026-01-01T00:00:00.000Z"


def growth(*then: tuple[str, int | None, int | None], usable: int | None = 200, error: str = "") -> dict[str, Any]:
    """What is said of a volume of 1,000 bytes; of earlier looks (when, total, usable)."""
    now: dict[str, list[Any]] = {
        "broker": [1],
        "path": ["/a"],
        "error": [""],
        "total_bytes": [1000],
        "usable_bytes": [usable],
    }
    kept: dict[str, list[Any]] = {
        "look": [look for look, _, _ in then],
        "broker": [1] * len(then),
        "path": ["/a"] * len(then),
        "error": [error] * len(then),
        "total_bytes": [total for _, total, _ in then],
        "usable_bytes": [room for _, _, room in then],
    }
    computed = compute(log_dir=Fact("kafka_log_dir", now, collected_at=_NOW), kept=Fact("kept_log_dir", kept))
    [row] = tabulate("disk_growth", VIEW.columns, computed).rows()
    return row


def test_what_was_gained_since_a_look_goes_on() -> None:
    row = growth((_YESTERDAY, 1000, 300))
    assert (row["grows"], row["days"], row["lasts"], row["since"]) == (100, 2.0, "2 days", _YESTERDAY)


def test_of_two_looks_the_one_since_which_it_filled_faster_counts() -> None:
    assert growth((_WEEK, 1000, 340), (_YESTERDAY, 1000, 300))["since"] == _YESTERDAY
    assert growth((_WEEK, 1000, 970), (_YESTERDAY, 1000, 300))["since"] == _WEEK


def test_a_volume_that_was_enlarged_meanwhile_is_compared_by_what_is_used() -> None:
    assert growth((_YESTERDAY, 900, 200))["grows"] == 100


@pytest.mark.parametrize("room", [200, 150])
def test_what_gains_nothing_is_never_full(room: int) -> None:
    row = growth((_YESTERDAY, 1000, room))
    assert (row["days"], row["lasts"]) == (-1, "")


def test_without_a_look_that_saw_it_nothing_is_known() -> None:
    unknown = (None, None, None, "")
    for row in (
        growth(),
        growth((_YESTERDAY, None, None)),
        growth((_YESTERDAY, 1000, 300), error="offline"),
        growth((_NOW, 1000, 300)),
    ):
        assert (row["since"], row["grows"], row["days"], row["lasts"]) == unknown


def test_without_the_room_of_today_no_day_is_known() -> None:
    assert growth((_YESTERDAY, 1000, 300), usable=None)["days"] is None

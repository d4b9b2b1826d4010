"""Where Burrow's rules and ours say the same of a group, and where not; docs/explanation/lag-in-time.md says why."""

from pathlib import Path

import pytest

from support.burrow import Series, burrow, ours
from support.burrow_series import SITUATIONS, Situation, commits, steady

PAGE = Path(__file__).parents[2] / "docs" / "explanation" / "lag-in-time.md"


@pytest.mark.parametrize("situation", SITUATIONS, ids=lambda situation: situation.series.name)
def test_each_says_of_a_situation_what_the_page_says(situation: Situation):
    series = situation.series
    assert burrow(series) == situation.burrow
    assert burrow(series, since=series.now - 60) == situation.fresh
    assert ours(series) == situation.ours
    row = f"| {series.name} | {situation.burrow} | {situation.fresh} | {situation.ours} |"
    assert row in PAGE.read_text("utf-8")


def test_every_word_of_burrow_is_met():
    assert {situation.burrow for situation in SITUATIONS} == {"OK", "STOP", "REWIND", "STALL", "WARN", "not found"}


def test_a_group_that_had_read_all_a_moment_ago_has_not_stopped_for_burrow():
    writes = [*steady(1, until=3600), 7150.0]
    waits = Series("waits", 7200, writes, commits(lambda at: at, until=3601))
    assert burrow(waits) == "OK"  # the ends of the last 100 s had none beyond what it had read
    longer = Series("waits for long", 7400, writes, waits.commits)
    assert burrow(longer) == "STOP"


def test_a_rewind_that_was_made_good_is_none_for_burrow():
    back = [(7000.0, 500), (7160.0, 400), (7170.0, 500), (7199.0, 550)]
    assert burrow(Series("back", 7200, steady(1), back[:2])) == "REWIND"
    assert burrow(Series("back and on", 7200, steady(1), back)) == "OK"

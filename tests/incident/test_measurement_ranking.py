"""Which setting wins, and what is this client's limit and not the cluster's."""

import pytest

from runbook.incident.measurement_ranking import ack_p99, client_bounds, measured_settings, outages, reached, winners
from runbook.model.measurement import LongestGap, ProducerSetting, Repetition
from support.measured import repetition

ONE, ALL = ProducerSetting(acks="1"), ProducerSetting(acks="all")


def of(setting: ProducerSetting, *p99: float) -> list[Repetition]:
    return [repetition(value, setting=setting) for value in p99]


def names(*repetitions: Repetition) -> list[str]:
    return [row.name for row in winners(measured_settings(repetitions), ack_p99)]


def test_settings_are_named_by_what_differs():
    found = measured_settings([*of(ONE, 1), *of(ALL, 1)])
    assert [row.name for row in found] == ["acks=1", "acks=all"]
    assert [row.name for row in measured_settings(of(ONE, 1, 2))] == [""]


def test_a_difference_beyond_the_spread_has_a_winner():
    assert names(*of(ALL, 9, 10, 11), *of(ONE, 3, 4, 5)) == ["acks=1"]


def test_a_difference_within_the_spread_has_none():
    assert names(*of(ALL, 4.9, 10, 11), *of(ONE, 3, 4, 5)) == ["acks=1", "acks=all"]


def test_a_figure_that_a_setting_lacks_has_no_winner():
    assert names(*of(ALL, 9), *[repetition(setting=ONE, latency=None)]) == []


@pytest.mark.parametrize(
    ("written", "says"),
    [
        ({}, ""),
        ({"machine": 0.95}, "this machine's processors"),
        ({"machine": None}, ""),
        ({"thread": 0.95}, "the producer used a whole processor"),
        ({"sent": 2000, "rate": 660.0}, "did not send at the rate asked"),
        ({"sent": 2000, "rate": 660.0, "held": 1.0}, ""),  # the cluster held it up
        ({"late": 6.0}, "ms late"),
    ],
)
def test_what_the_client_could_not_keep_up_with_is_told(written: dict[str, object], says: str):
    found = client_bounds(repetition(**written))
    assert [says in bound for bound in found] == ([True] if says else [])


def test_a_backlog_at_the_end_is_a_rate_that_was_not_reached():
    assert reached(repetition())
    assert not reached(repetition(rate=700.0))


def test_gaps_that_overlap_are_one_outage():
    gaps = [
        LongestGap(seconds=s, partition=p, since=since)
        for s, p, since in ((9.0, 2, 100.0), (0.5, 1, 50.0), (9.5, 0, 100.5), (1.0, 2, 60.0))
    ]
    told = [(outage.since, outage.seconds, outage.partitions) for outage in outages(gaps)]
    assert told == [(100.0, 10.0, [0, 2]), (60.0, 1.0, [2]), (50.0, 0.5, [1])]

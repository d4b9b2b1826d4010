"""What follows from times at which one place acknowledged records and gave them, and what does not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runbook.canary.link_records import FIGURES, Doubts
from runbook.canary.single_cluster_records import GOING_ON, OutageMeasurements

AT = "2026-11-22T03:00:00.000Z"
BEGAN, LANDING, END = 110.0, 160.0, 170.0


def stayed(dark: dict[int, tuple[float, float]] | None = None, partitions: int = 3) -> OutageMeasurements:
    """A record each quarter of a second, to partitions in turn; in the dark, one acknowledges and gives nothing."""
    stay = OutageMeasurements(partitions=partitions, began=BEGAN, landing=LANDING)
    for number in range(int((END - 100) * 4)):
        at = 100 + number / 4
        begin, end = (dark or {}).get(number % partitions, (0.0, 0.0))
        if not begin < at < end:
            stay.sent[number] = at
            stay.read[number] = at + 0.1
            stay.copies[number] += 1
    return stay


def test_where_nothing_happened_the_gap_is_the_time_between_two_records_of_a_partition():
    measured = stayed().measured(AT, Doubts(), [])
    assert measured.unknown == {}
    assert (measured.rto_write, measured.rto_read) == (0.75, 0.75)
    assert (measured.rpo_records, measured.rpo_seconds, measured.duplicates) == (0, 0.0, 0)


def test_the_worst_partition_is_what_is_measured_though_all_others_went_on():
    measured = stayed({1: (120.0, 131.0)}).measured(AT, Doubts(), [])
    assert measured.rto_write is not None
    assert 11.0 <= measured.rto_write <= 11.0 + 2 * 0.75
    assert measured.rto_read == measured.rto_write


def test_a_record_that_can_not_be_read_in_the_end_is_lost():
    stay = stayed()
    del stay.copies[40], stay.copies[41]
    measured = stay.measured(AT, Doubts(), [])
    assert (measured.rpo_records, measured.rpo_seconds) == (2, max(stay.sent.values()) - stay.sent[40])


def test_a_record_that_is_there_twice_is_counted():
    stay = stayed()
    stay.copies[40] += 1
    assert stay.measured(AT, Doubts(), []).duplicates == 1


@pytest.mark.parametrize("dark", [(150.0, 999.0), (161.0, 169.5), (99.0, 111.0)])
def test_a_gap_that_was_not_seen_whole_is_unknown_and_not_small(dark: tuple[float, float]):
    stay = stayed({2: dark})
    stay.sent = {n: at for n, at in stay.sent.items() if n % 3 != 2 or not 158 < at < LANDING}
    measured = stay.measured(AT, Doubts(), [])
    assert set(measured.unknown) == {"rto_write", "rto_read"}
    assert "of 3 partitions, 2 acknowledged fewer than 3 records" in measured.unknown["rto_write"]
    assert "2 gave the reader fewer" in measured.unknown["rto_read"]
    assert measured.rpo_records == 0


@pytest.mark.parametrize(
    ("doubts", "unknown"),
    [
        (Doubts(sent="it stopped by itself"), {"rpo_records", "rpo_seconds", "rto_write", "rto_read"}),
        (Doubts(copied="not read to its end"), {"rpo_records", "rpo_seconds", "duplicates", "rto_read"}),
    ],
)
def test_a_figure_is_not_known_where_what_it_needs_is_not(doubts: Doubts, unknown: set[str]):
    measured = stayed().measured(AT, doubts, [])
    assert set(measured.unknown) == unknown
    assert {name for name in FIGURES if getattr(measured, name) is None} == unknown


def test_nothing_acknowledged_is_nothing_shown():
    measured = OutageMeasurements(partitions=3, began=BEGAN, landing=LANDING).measured(AT, Doubts(), [])
    assert set(measured.unknown) == {"rpo_records", "rpo_seconds", "rto_write", "rto_read"}


@pytest.mark.parametrize("without", ["began", "landing", "partitions"])
def test_without_a_beginning_an_end_or_partitions_no_gap_is_told(without: str):
    stay = stayed()
    setattr(stay, without, 0 if without == "partitions" else None)
    assert {"rto_write", "rto_read"} <= set(stay.measured(AT, Doubts(), []).unknown)


def test_it_has_taken_off_when_every_partition_has_given_records_and_goes_on_when_they_do_again():
    stay = OutageMeasurements(partitions=2)
    assert not stay.took_off()
    stay.sent = stay.read = {n: 1.0 + n for n in range(2 * GOING_ON)}
    assert stay.took_off()
    assert not stay.went_on()
    stay.landing = 2.0
    assert not stay.went_on()
    stay.sent = stay.read = {n: 1.0 + n for n in range(3 * GOING_ON)}
    assert stay.went_on()


def test_caveats_stand_beside_the_figures():
    measured = stayed().measured(AT, Doubts(), ["acks=1"])
    assert (measured.caveats, measured.unknown) == (["acks=1"], {})


@given(st.integers(1, 5), st.integers(0, 4), st.floats(111, 140), st.floats(0, 15))
def test_a_gap_is_never_told_smaller_than_it_was(partitions: int, which: int, begin: float, long: float):
    measured = stayed({which % partitions: (begin, begin + long)}, partitions).measured(AT, Doubts(), [])
    assert measured.rto_write is not None
    assert measured.rto_write >= round(long, 3) - 0.001 or long < partitions / 4

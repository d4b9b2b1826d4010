"""What follows from times at which records were acknowledged and read, and what does not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runbook.canary.link_records import FIGURES, NOT_MOVED, Doubts, LossMeasurements

AT = "2026-11-22T03:00:00.000Z"


def flown() -> LossMeasurements:
    """Ten records at the source, one each second; seven copied, of which one twice; then the target takes over."""
    ledger = LossMeasurements(sent={number: 100.0 + number for number in range(10)}, switched=130.0)
    ledger.copies.update([0, 1, 2, 3, 4, 5, 6, 6])
    ledger.copied = [100.5 + number for number in range(7)]
    ledger.taken = {0: 131.25, 1: 132.0}
    ledger.read = [131.5, 132.1]
    return ledger


def test_what_was_acknowledged_and_is_not_there_is_lost():
    measured = flown().measured(AT, Doubts())
    assert (measured.acknowledged, measured.rpo_records, measured.rpo_seconds) == (10, 3, 2.0)
    assert measured.duplicates == 1
    assert measured.unknown == {}


def test_gaps_are_between_the_last_before_and_the_first_after():
    measured = flown().measured(AT, Doubts())
    assert (measured.rto_write, measured.rto_read) == (22.25, 25.0)


def test_what_comes_through_the_link_after_clients_moved_does_not_shorten_the_gap():
    ledger = flown()
    ledger.copied.append(131.4)
    assert ledger.measured(AT, Doubts()).rto_read == 25.0


def test_nothing_lost_is_no_time_lost():
    ledger = flown()
    ledger.copies.update([7, 8, 9])
    measured = ledger.measured(AT, Doubts())
    assert (measured.rpo_records, measured.rpo_seconds) == (0, 0.0)


@pytest.mark.parametrize(
    ("doubts", "unknown"),
    [
        (Doubts(sent="crashed"), {"rpo_records", "rpo_seconds", "rto_write"}),
        (Doubts(copied="not read to its end"), {"rpo_records", "rpo_seconds", "duplicates"}),
        (Doubts(moved="crashed"), set()),
    ],
)
def test_a_figure_is_not_known_where_what_it_needs_is_not(doubts: Doubts, unknown: set[str]):
    measured = flown().measured(AT, doubts)
    assert set(measured.unknown) == unknown
    assert {name for name in FIGURES if getattr(measured, name) is None} == unknown
    assert set(measured.unknown.values()) <= {doubts.sent, doubts.copied}


def test_records_written_at_neither_end_give_no_figures():
    measured = LossMeasurements(switched=130.0).measured(AT, Doubts())
    assert set(measured.unknown) == {"rpo_records", "rpo_seconds", "rto_write", "rto_read"}


def test_where_clients_did_not_move_nothing_was_left_behind():
    ledger = flown()
    ledger.switched = None
    measured = ledger.measured(AT, Doubts())
    assert {measured.unknown[name] for name in ("rpo_records", "rpo_seconds", "rto_write", "rto_read")} == {NOT_MOVED}


def test_a_target_that_took_nothing_has_no_time_at_which_it_did():
    ledger = flown()
    ledger.taken, ledger.read = {}, []
    measured = ledger.measured(AT, Doubts(moved="it does not answer"))
    assert measured.unknown == {"rto_write": "it does not answer", "rto_read": "it does not answer"}
    assert measured.rpo_records == 3


@given(st.sets(st.integers(0, 50)), st.lists(st.integers(0, 50)))
def test_lost_and_copied_are_all_that_was_acknowledged(sent: set[int], copies: list[int]):
    ledger = LossMeasurements(sent={number: float(number) for number in sent}, switched=60.0)
    ledger.copies.update(copies)
    assert set(ledger.lacking()) | (sent & set(copies)) == sent
    measured = ledger.measured(AT, Doubts())
    assert measured.duplicates == len(copies) - len(set(copies))
    if sent:
        assert measured.rpo_records == len(sent - set(copies))


def test_no_two_ledgers_share_what_they_know():
    one, other = LossMeasurements(), LossMeasurements()
    one.sent[1] = 1.0
    one.copied.append(1.0)
    assert (other.sent, other.copied) == ({}, [])

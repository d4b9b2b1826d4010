import threading
import time

import pytest

from runbook.connections.kafka.errors import CutInHandshake, HungUp, LostOnTheWay, NoTls
from runbook.connections.kafka.greetings import TRIES, BrokerConnection, Greetings
from runbook.model.errors import CannotLook, Denied, TimedOut, Unreachable

LATE = TimedOut("broker 2 did not answer in 3.0 s")
FIRST, SECOND = BrokerConnection("manager", 2), BrokerConnection("another", "bootstrap-0")


@pytest.fixture
def greetings() -> Greetings:
    made = Greetings()
    made.expect([1, 2])
    return made


def test_one_that_answers_later_answers_over_the_connection_of_that_try(greetings: Greetings):
    greetings.failed(2, LATE)
    greetings.answered(2, SECOND, 0.25, first=False)
    greetings.answered(2, FIRST, 2.5, first=True)
    assert (greetings.line(2), greetings.seconds(2), greetings.wait_for(2, 0)) == (SECOND, 0.25, None)


def test_one_is_silent_once_every_try_timed_out_and_not_before(greetings: Greetings):
    for number in range(len(TRIES)):
        assert not greetings.is_settled(2)
        greetings.failed(2, TimedOut(f"try {number}"))
    assert str(greetings.wait_for(2, 0)) == "try 0"


def test_who_hangs_up_is_tried_again_at_once(greetings: Greetings):
    assert [greetings.is_due(2, number) for number in range(3)] == [True, False, False]
    greetings.failed(2, HungUp("closed"))
    assert [greetings.is_due(2, number) for number in range(3)] == [True, True, False]
    assert not greetings.is_settled(2)
    for _ in TRIES[1:]:
        greetings.failed(2, HungUp("closed"))
    assert isinstance(greetings.wait_for(2, 0), HungUp)
    assert isinstance(greetings.proved(HungUp("closed"), told=True), LostOnTheWay)


def test_a_handshake_that_is_cut_short_is_tried_again_and_no_tls_at_all_is_certain(greetings: Greetings):
    for _ in TRIES:
        assert not greetings.is_settled(2)
        greetings.failed(2, CutInHandshake("closed in the handshake"))
    assert isinstance(greetings.wait_for(2, 0), CutInHandshake)
    assert isinstance(greetings.proved(CutInHandshake("closed"), told=True), LostOnTheWay)
    greetings.failed(3, NoTls("wrong version number"))
    assert isinstance(greetings.wait_for(3, 0), NoTls)


@pytest.mark.parametrize("reason", [Unreachable("connection refused"), Denied("not you")])
def test_what_is_certain_needs_no_other_try(greetings: Greetings, reason: CannotLook):
    greetings.failed(2, reason)
    assert greetings.wait_for(2, 0) is reason
    greetings.answered(1, FIRST, 0.1, first=False)
    assert greetings.proved(reason, told=True) is reason


def test_silence_proves_nothing_where_requests_to_others_are_lost(greetings: Greetings):
    assert greetings.proved(LATE, told=False) is LATE
    greetings.answered(1, FIRST, 0.1, first=True)
    assert greetings.proved(LATE, told=False) is LATE
    greetings.answered(3, SECOND, 0.1, first=False)
    found = greetings.proved(LATE, told=False)
    assert isinstance(found, LostOnTheWay)
    assert str(found) == (
        "broker 2 did not answer in 3.0 s, but requests to broker 3 were lost on the way, too: whether it answers is "
        "not known"
    )


def test_silence_proves_nothing_where_the_server_at_its_address_answered_a_moment_before(greetings: Greetings):
    found = greetings.proved(LATE, told=True)
    assert isinstance(found, LostOnTheWay)
    assert "but it had answered a moment before" in str(found)


def test_brokers_have_their_places_in_the_order_in_which_they_answer(greetings: Greetings):
    greetings.answered(2, FIRST, 0.1, first=True)
    assert greetings.place(0, 0) == 2
    threading.Timer(0.1, greetings.failed, (1, Unreachable("refused"))).start()
    assert greetings.place(1, 5) is None
    assert greetings.place(0, 0) == 2


def test_the_later_tries_leave_time_to_be_answered():
    assert TRIES[0] == 0
    assert sorted(TRIES) == [*TRIES]
    assert TRIES[-1] <= 2 / 3


def test_a_broker_is_waited_for_until_it_is_settled_and_not_until_somebody_asks(
    greetings: Greetings, monkeypatch: pytest.MonkeyPatch
):
    now = time.monotonic()
    assert (greetings.waited(1), greetings.waited(9)) == (None, None)
    monkeypatch.setattr(time, "monotonic", lambda: now + 2)
    greetings.answered(1, FIRST, 0.1, first=False)
    greetings.failed(2, LATE)
    assert 1.9 < (greetings.waited(1) or 0) < 2.1
    assert greetings.waited(2) is None
    monkeypatch.setattr(time, "monotonic", lambda: now + 5)
    greetings.failed(2, Unreachable("connection refused"))
    monkeypatch.setattr(time, "monotonic", lambda: now + 9)
    assert 1.9 < (greetings.waited(1) or 0) < 2.1
    assert 4.9 < (greetings.waited(2) or 0) < 5.1


def test_one_that_the_cluster_does_not_list_is_waited_for_since_its_address_was_asked_first(
    greetings: Greetings, monkeypatch: pytest.MonkeyPatch
):
    now = time.monotonic()
    monkeypatch.setattr(time, "monotonic", lambda: now)
    greetings.begin(7, now - 3)
    greetings.end(7)
    greetings.begin(8)
    monkeypatch.setattr(time, "monotonic", lambda: now + 1)
    greetings.end(8)
    greetings.end(9)
    assert (round(greetings.waited(7) or 0, 3), round(greetings.waited(8) or 0, 3)) == (3, 1)
    assert greetings.waited(9) is None

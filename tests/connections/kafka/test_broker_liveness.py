import threading
import time
from collections.abc import Sequence

import pytest

from runbook.answers.kafka.errors import CutInHandshake, HungUp, LostOnTheWay
from runbook.connections.kafka.broker_liveness import TRIES, BrokerConnection, BrokerLiveness
from runbook.model.errors import CannotLook, Denied, NoTls, TimedOut, Unreachable

LATE = TimedOut("broker 2 did not answer in 3.0 s")
FIRST, SECOND = BrokerConnection("manager", 2), BrokerConnection("another", "bootstrap-0")


class Deadline:
    """Seconds that pass when a test says so."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        """Tell the time."""
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Deadline:
    made = Deadline()
    monkeypatch.setattr(time, "monotonic", made)
    return made


@pytest.fixture
def greetings() -> BrokerLiveness:
    made = BrokerLiveness()
    made.expect([1, 2])
    return made


def test_one_that_answers_later_answers_over_the_connection_of_that_try(greetings: BrokerLiveness, clock: Deadline):
    greetings.begin_try(2, 0)
    clock.now += 1
    greetings.begin_try(2, 1)
    clock.now += 0.25
    greetings.answered(2, SECOND, 1)
    clock.now += 1
    greetings.answered(2, FIRST, 0)
    assert (greetings.line(2), greetings.seconds(2), greetings.wait_for(2, 0)) == (SECOND, 0.25, None)


def test_one_is_silent_once_every_try_timed_out_and_not_before(greetings: BrokerLiveness):
    for number in range(len(TRIES)):
        assert not greetings.is_settled(2)
        greetings.failed(2, TimedOut(f"try {number}"), number)
    assert str(greetings.wait_for(2, 0)) == "try 0"


def test_who_hangs_up_is_tried_again_at_once(greetings: BrokerLiveness):
    assert [greetings.is_due(2, number) for number in range(3)] == [True, False, False]
    greetings.failed(2, HungUp("closed"), 0)
    assert [greetings.is_due(2, number) for number in range(3)] == [True, True, False]
    assert not greetings.is_settled(2)
    for number in range(1, len(TRIES)):
        greetings.failed(2, HungUp("closed"), number)
    assert isinstance(greetings.wait_for(2, 0), HungUp)
    assert isinstance(greetings.proved(2, HungUp("closed"), answered=True), LostOnTheWay)


def test_a_handshake_that_is_cut_short_is_tried_again_and_no_tls_at_all_is_certain(greetings: BrokerLiveness):
    for number in range(len(TRIES)):
        assert not greetings.is_settled(2)
        greetings.failed(2, CutInHandshake("closed in the handshake"), number)
    assert isinstance(greetings.wait_for(2, 0), CutInHandshake)
    assert isinstance(greetings.proved(2, CutInHandshake("closed"), answered=True), LostOnTheWay)
    greetings.failed(3, NoTls("wrong version number"), 0)
    assert isinstance(greetings.wait_for(3, 0), NoTls)


@pytest.mark.parametrize("reason", [Unreachable("connection refused"), Denied("not you")])
def test_what_is_certain_needs_no_other_try(greetings: BrokerLiveness, reason: CannotLook):
    greetings.failed(2, reason, 0)
    assert greetings.wait_for(2, 0) is reason
    greetings.answered(1, FIRST, 1)
    assert greetings.proved(2, reason, answered=True) is reason


def test_silence_proves_nothing_where_requests_to_others_are_lost(greetings: BrokerLiveness):
    assert greetings.proved(2, LATE, answered=False) is LATE
    greetings.answered(1, FIRST, 0)
    assert greetings.proved(2, LATE, answered=False) is LATE
    greetings.answered(3, SECOND, 1)
    found = greetings.proved(2, LATE, answered=False)
    assert isinstance(found, LostOnTheWay)
    assert str(found) == (
        "broker 2 did not answer in 3.0 s, but requests to broker 3 were lost on the way, too: whether it answers is "
        "not known"
    )


def test_silence_proves_nothing_where_the_server_at_its_address_answered_a_moment_before(greetings: BrokerLiveness):
    found = greetings.proved(2, LATE, answered=True)
    assert isinstance(found, LostOnTheWay)
    assert "but it had answered a moment before" in str(found)


def end_tries(
    greetings: BrokerLiveness, clock: Deadline, broker: int, ends: Sequence[tuple[CannotLook, float]]
) -> None:
    """Let the tries of a broker come to these, after so many seconds each."""
    for number, (reason, seconds) in enumerate(ends):
        greetings.begin_try(broker, number)
        clock.now += seconds
        greetings.failed(broker, reason, number)


CUT = HungUp("closed")
UNLIKE = [
    pytest.param([(LATE, 3.0), (CUT, 0.1), (LATE, 1.5), (LATE, 1.0)], id="silent and closed"),
    pytest.param([(CutInHandshake("closed"), 0.1), (LATE, 2.0), (LATE, 1.5), (LATE, 1.0)], id="cut in the handshake"),
]


@pytest.mark.parametrize("ends", UNLIKE)
def test_tries_that_end_in_unlike_ways_prove_nothing(
    greetings: BrokerLiveness, clock: Deadline, ends: list[tuple[CannotLook, float]]
):
    end_tries(greetings, clock, 2, ends)
    found = greetings.proved(2, ends[0][0], answered=False)
    assert isinstance(found, LostOnTheWay)
    assert "its tries ended in unlike ways" in str(found)


@pytest.mark.parametrize("ends", UNLIKE)
def test_nor_do_those_of_others_then(greetings: BrokerLiveness, clock: Deadline, ends: list[tuple[CannotLook, float]]):
    end_tries(greetings, clock, 2, ends)
    end_tries(greetings, clock, 1, [(LATE, 3.0)] * 4)
    found = greetings.proved(1, LATE, answered=False)
    assert isinstance(found, LostOnTheWay)
    assert "requests to broker 2 were lost on the way, too" in str(found)


@pytest.mark.parametrize(
    "ends",
    [
        pytest.param([(LATE, 3.0), (LATE, 2.0), (LATE, 1.5), (LATE, 1.0)], id="all silent"),
        pytest.param([(CUT, 0.01)] * 4, id="all closed"),
        pytest.param([(CUT, 2.5), (LATE, 2.0), (LATE, 1.5), (LATE, 1.0)], id="closed later than others waited"),
        pytest.param([(CUT, 0.01), (CutInHandshake("closed"), 0.01), (CUT, 0.01), (CUT, 0.01)], id="all cut"),
    ],
)
def test_tries_that_end_alike_prove_that_a_broker_does_not_answer(
    greetings: BrokerLiveness, clock: Deadline, ends: list[tuple[CannotLook, float]]
):
    end_tries(greetings, clock, 2, ends)
    reason = ends[0][0]
    assert greetings.proved(2, reason, answered=False) is reason
    end_tries(greetings, clock, 1, [(LATE, 3.0)] * 4)
    assert greetings.proved(1, LATE, answered=False) is LATE


def test_everybody_is_waited_for_until_settled(greetings: BrokerLiveness):
    greetings.answered(1, FIRST, 0)
    threading.Timer(0.1, greetings.failed, (2, Unreachable("refused"), 0)).start()
    greetings.wait_for_all(5)
    assert greetings.is_settled(2)


def test_brokers_have_their_places_in_the_order_in_which_they_answer(greetings: BrokerLiveness):
    greetings.answered(2, FIRST, 0)
    assert greetings.place(0, 0) == 2
    threading.Timer(0.1, greetings.failed, (1, Unreachable("refused"), 0)).start()
    assert greetings.place(1, 5) is None
    assert greetings.place(0, 0) == 2


def test_the_later_tries_leave_time_to_be_answered():
    assert TRIES[0] == 0
    assert sorted(TRIES) == [*TRIES]
    assert TRIES[-1] <= 2 / 3


def test_a_broker_is_waited_for_until_it_is_settled_and_not_until_somebody_asks(
    greetings: BrokerLiveness, monkeypatch: pytest.MonkeyPatch
):
    now = time.monotonic()
    assert (greetings.waited(1), greetings.waited(9)) == (None, None)
    monkeypatch.setattr(time, "monotonic", lambda: now + 2)
    greetings.answered(1, FIRST, 1)
    greetings.failed(2, LATE, 0)
    assert 1.9 < (greetings.waited(1) or 0) < 2.1
    assert greetings.waited(2) is None
    monkeypatch.setattr(time, "monotonic", lambda: now + 5)
    greetings.failed(2, Unreachable("connection refused"), 1)
    monkeypatch.setattr(time, "monotonic", lambda: now + 9)
    assert 1.9 < (greetings.waited(1) or 0) < 2.1
    assert 4.9 < (greetings.waited(2) or 0) < 5.1


def test_one_that_the_cluster_does_not_list_is_waited_for_since_its_address_was_asked_first(
    greetings: BrokerLiveness, monkeypatch: pytest.MonkeyPatch
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

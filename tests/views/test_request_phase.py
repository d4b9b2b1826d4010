from typing import Any

from runbook.views.request_phase import RequestPhase, compute
from support.kafka_facts import fact

QUICK = {
    "queue_p99": 1.0,
    "local_p99": 2.0,
    "remote_p99": 0.0,
    "throttle_p99": 0.0,
    "response_queue_p99": 0.0,
    "send_p99": 3.0,
}


def of(**ms: float | None) -> RequestPhase:
    seen: dict[str, Any] = {"broker": 1, "request": "Produce", "requests": 7, "total_p99": 9.0, **QUICK, **ms}
    [row] = compute(request=fact("broker_request", [seen])).rows
    assert isinstance(row, RequestPhase)
    return row


def test_the_longest_phase_is_named_with_what_the_others_take() -> None:
    assert of() == RequestPhase(
        broker=1, request="Produce", requests=7, total_ms=9.0, phase="send", phase_ms=3.0, others_ms=3.0
    )
    for name in ("queue", "local", "remote", "response_queue"):
        assert of(**{f"{name}_p99": 50.0}).phase == name


def test_throttling_comes_after_the_answer_and_is_no_part_of_the_total() -> None:
    assert of(throttle_p99=900.0) == of()


def test_where_a_phase_is_not_known_the_longest_is_not_and_where_all_are_0_there_is_none() -> None:
    assert (of(queue_p99=None).phase, of(queue_p99=None).phase_ms, of(queue_p99=None).others_ms) == (None, None, None)
    assert of(**dict.fromkeys(QUICK, 0.0)).phase == ""

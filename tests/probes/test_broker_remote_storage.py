"""The recorded agents have no tiered storage: what a lab's brokers answered that has it is added to them."""

from typing import Any

from support.metrics_played import Played

_REMOTE = "kafka.server:type=BrokerTopicMetrics,name=Remote"
_RATES = {"CopyBytesPerSec": 45250.2, "CopyRequestsPerSec": 0.189, "CopyErrorsPerSec": 0.144, "DeleteErrorsPerSec": 0.0}
_COUNTS = {"FetchRequestsPerSec": 832, "FetchErrorsPerSec": 832}
_GAUGES = {"CopyLagBytes": 9334161, "CopyLagSegments": 9, "DeleteLagBytes": 0}
_ATTRIBUTES = (("OneMinuteRate", _RATES), ("Count", _COUNTS), ("Value", _GAUGES))


def told(*without: str) -> Played:
    """Agents of brokers with tiered storage, which lack some of its metrics."""
    played = Played("jolokia")
    for answers in played.recording["answers"].values():
        if not any("BytesInPerSec" in asked[0] for asked, _ in answers):
            continue  # an application's agent
        for attribute, numbers in _ATTRIBUTES:
            for name, value in numbers.items():
                if name not in without:
                    asked: list[Any] = [_REMOTE + name, [attribute], ""]
                    answers.append([asked, {"status": 200, "value": {attribute: value}}])
    return played


def test_what_waits_and_what_failed_are_told_of_each_broker() -> None:
    assert told().row("broker_remote_storage", broker=1) == {
        "broker": 1,
        "copied": 45250.2,
        "copy_lag": 9334161,
        "copy_lag_segments": 9,
        "copy_requests": 0.189,
        "copy_errors": 0.144,
        "reads": 832,
        "failed_reads": 832,
        "delete_lag": 0,
        "delete_errors": 0.0,
    }


def test_what_a_release_before_3_8_does_not_have_is_not_known() -> None:
    row = told("CopyLagBytes", "CopyLagSegments", "DeleteLagBytes", "DeleteErrorsPerSec").row(
        "broker_remote_storage", broker=1
    )
    assert (row["copied"], row["copy_lag"], row["delete_errors"]) == (45250.2, None, None)

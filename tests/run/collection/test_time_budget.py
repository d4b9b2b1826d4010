"""Whose fault it is that something did not answer in its time."""

import io
import json
import time

import pytest
import requests
from msgspec.structs import replace

from runbook.connections._http import _explained
from runbook.connections.kafka.errors import from_kafka_python, silence
from runbook.model.ask import FactQuestion
from runbook.model.fact import Gap
from runbook.model.old_gaps import from_sentence
from runbook.model.probe import Deadline
from runbook.run.collection.time_budget import TimeBudget
from runbook.run.collection.worker import Job, Outlet, run_job
from support.small_runbooks import FAKES

LATE = "kafka-1:9092 did not answer in its time"
USED = f"{LATE} (this run had used 6.0 s of its 10 s before it asked: --deadline gives more)"
TURN = f"{LATE} (its turn came when little was left of the run's 10 s: --deadline gives more)"


@pytest.mark.parametrize(
    ("left_to_worker", "left_to_ask", "reason", "said"),
    [
        (9.5, 9.0, LATE, LATE),
        (4.0, 3.9, LATE, USED),
        (9.5, 1.0, LATE, TURN),
        (4.0, 3.9, "kafka-1:9092 can't be reached: connection refused", ""),
    ],
)
def test_what_the_run_left_a_system_little_time_for_says_so(
    left_to_worker: float, left_to_ask: float, reason: str, said: str
) -> None:
    budget = TimeBudget(Deadline(left_to_worker), 10.0)
    gap = from_sentence(reason)
    assert budget.told(gap, left_to_ask) == replace(gap, reason=said or reason)
    assert TimeBudget(Deadline(left_to_worker), 0.0).told(gap, left_to_ask) == gap  # nobody says how much there was


def test_connections_say_that_they_waited_in_vain() -> None:
    budget = TimeBudget(Deadline(1.0), 10.0)
    for error in (from_kafka_python(TimeoutError(), "kafka-1:9092"), _explained(requests.Timeout())):
        assert "--deadline gives more" in budget.told(Gap.of(error), 1.0).reason
    said = Gap.of(silence("broker 1", 0.4))  # which tells how long
    assert budget.told(said, 1.0) == said


@pytest.mark.usefixtures("fakes")
def test_a_worker_says_so_of_each_question() -> None:
    stream = io.BytesIO()
    ask = FactQuestion("prod", "fake", "fake_act", json.dumps({"how": "silent"}))
    run_job(Job("fake", {}, time.monotonic() + 4.0, {1: ask}, [str(FAKES)], 10.0), Outlet(stream))
    assert b"(this run had used 6.0 s of its 10 s before it asked: --deadline gives more)" in stream.getvalue()

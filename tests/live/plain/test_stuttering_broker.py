"""`runbook check ha` gives a broker that stutters, and a cluster that is only busy, the same verdict in each run."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from kafka_lab import LabState
from kafka_lab.recovery import make_whole
from support.stuttering import checked_often, loaded, stuttering

pytestmark = pytest.mark.live
RUNS = 4  # tests/benchmarks/stutters.py makes ten
QUICK = "ha/brokers-answer-quickly"


@pytest.fixture
def whole_lab(healthy_lab: LabState) -> Iterator[LabState]:
    yield healthy_lab
    make_whole(healthy_lab)


def test_a_broker_that_stands_still_for_most_of_its_time_fails_in_each_run(
    whole_lab: LabState, lab_inventory: Path
) -> None:
    with stuttering(whole_lab.broker(2).process, frozen=2.5, every=3.2):
        runs = checked_often(lab_inventory, RUNS)
    assert [run[QUICK] for run in runs.outcomes] == ["fail"] * RUNS
    assert all("requests took over 1500 ms, the longest 2" in why[QUICK] for why in runs.why)
    assert runs.exits == [1] * RUNS
    assert {run["ha/every-broker-answers"] for run in runs.outcomes} == {"pass"}


def test_a_healthy_cluster_under_load_passes_in_each_run(whole_lab: LabState, lab_inventory: Path) -> None:
    with loaded(whole_lab):
        runs = checked_often(lab_inventory, RUNS)
    assert [run[QUICK] for run in runs.outcomes] == ["pass"] * RUNS, runs.why
    assert runs.exits == [0] * RUNS, runs.why

"""The paths to metrics, on real brokers: through Jolokia, which only reads; their exporters' pages; and Prometheus."""

import json
import urllib.request
from typing import Any

import pytest

from kafka_lab import LabState
from kafka_lab.parts import connections
from live.scraped.scenes import lacking
from support.evidence.labs import Labs
from support.metric_ways import complete, observe_when_settled, ways

LACKING = lacking()
pytestmark = [pytest.mark.live, pytest.mark.skipif(bool(LACKING), reason=LACKING)]


@pytest.fixture
def measured(running: Labs) -> LabState:
    """Three brokers."""
    lab: LabState = running.of("scraped")
    return lab


@pytest.mark.parametrize("way", ["jolokia", "pages", "server"])
def test_each_way_tells_of_the_broker_and_leaves_nothing_open(measured: LabState, way: str):
    connect = ways(measured)[way]
    replication = observe_when_settled(connect, "broker_replication", complete)
    assert replication.gaps == []
    rows = {row["broker"]: row for row in replication.rows()}
    assert sorted(rows) == [1, 2, 3]
    assert len({row["partitions"] for row in rows.values()}) == 1  # each has a copy of every partition
    assert 3 * sum(row["leaders"] for row in rows.values()) == sum(row["partitions"] for row in rows.values())
    processes = observe_when_settled(connect, "jvm_process", complete)
    assert [row["broker"] for row in processes.rows() if row["max_fds"] > 0] == [1, 2, 3]


def send(url: str, body: dict[str, Any]) -> dict[str, Any]:
    request = urllib.request.Request(url + "/", json.dumps(body).encode(), {"Content-Type": "application/json"})
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(request, timeout=10) as answer:
        reply: dict[str, Any] = json.loads(answer.read())
    return reply


@pytest.mark.parametrize(
    "request_",
    [
        {"type": "exec", "mbean": "java.lang:type=Memory", "operation": "gc"},
        {"type": "exec", "mbean": "java.lang:type=Threading", "operation": "findDeadlockedThreads"},
        {"type": "write", "mbean": "java.lang:type=Memory", "attribute": "Verbose", "value": True},
        {"type": "read", "mbean": "java.lang:type=Runtime", "attribute": "InputArguments"},
    ],
    ids=["run a collection", "look for deadlocks", "change an attribute", "read the arguments"],
)
def test_the_agents_policy_refuses_what_is_not_reading(measured: LabState, request_: dict[str, Any]):
    url = connections(measured)["jolokia"]["agents"]["1"]
    answer = send(url, request_)
    assert answer["status"] == 403
    assert send(url, {"type": "read", "mbean": "java.lang:type=Memory", "attribute": "Verbose"})["value"] is False

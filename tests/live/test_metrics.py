"""Metrics of a real lab: the same through Jolokia, pages and Prometheus; read only; in time when JVMs hang."""

import json
import logging
import os
import shutil
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import yaml

from looked import look
from runbook import lab as labs
from runbook.connections import jolokia, prometheus
from runbook.engine.catalog import catalog
from runbook.engine.fact import Fact, tabulate
from runbook.engine.probe import Clock
from runbook.lab import LabState, waiting
from runbook.lab.parts import clients, connections
from runbook.lab.state import known

pytestmark = pytest.mark.live

RUNBOOK = str(Path(sys.executable).with_name("runbook"))
PARTS = ["jmx", "clients", *(["prometheus"] if shutil.which("prometheus") else [])]
SETTLED_WITHIN = 120.0  # seconds; Prometheus scrapes every ten, and a busy machine takes its time
BOTH = [
    name
    for name in catalog("probes").names()
    if {"jolokia", "prometheus"} <= set(catalog("probes").load(name).PROBE.connections)
]
# What exporters can't send: text, and what the JVM names in its own way.
ONLY_JMX = {("controller_quorum", "state"), ("jvm_gc", "last_ms")}


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LabState]:
    """A lab whose JVMs show their metrics, with a producer and a consumer."""
    home = tmp_path_factory.mktemp("measured")
    try:
        lab = labs.up("measured", home=home, with_parts=PARTS, progress=logging.getLogger("lab").info)
        waiting.wait_until(lambda: not unsettled(lab), "metrics of every kind, by every way", within=SETTLED_WITHIN)
        yield lab
    finally:
        labs.down("measured", home=home)


@pytest.fixture
def healthy(measured: LabState) -> Iterator[LabState]:
    """That lab, with no fault in force before the test nor after it."""
    home = Path(measured.folder).parent
    yield known(measured.name, home)
    now = known(measured.name, home)
    if now.faults or any(broker.condition != "alive" for broker in now.brokers):
        labs.heal(measured.name, home=home)


def ways(lab: LabState) -> dict[str, Callable[[], Any]]:
    """What makes a connection for each way to the metrics."""
    pages = clients.connections(lab, lab.parts["clients"])["prometheus"]
    offered = connections(lab)
    made: dict[str, Callable[[], Any]] = {
        "jolokia": lambda: jolokia.connect(offered["jolokia"], patient()),
        "pages": lambda: prometheus.connect(pages, patient()),
    }
    if "prometheus" in lab.parts:
        made["server"] = lambda: prometheus.connect(offered["prometheus"], patient())
    return made


def observe(connection: Any, probe: str) -> Fact:
    module = catalog("probes").load(probe)
    return tabulate(probe, module.PROBE.columns, module.observe(connection))


def patient() -> Clock:
    """Begin anew for each connection: a machine that runs other tests too takes its time to answer."""
    return Clock(600, patience=60)


def unsettled(lab: LabState) -> list[str]:
    """The ways and probes that leave something open: clients come up, Prometheus shows JVMs with its next scrape."""
    return [f"{way} {probe}" for way, connect in ways(lab).items() for probe in BOTH if observe(connect(), probe).gaps]


def observe_when_settled(connect: Callable[[], Any], probe: str, settled: Callable[[Fact], bool]) -> Fact:
    """Observe until the fact is as wanted, or time is over: who asks for it judges it."""
    end = time.monotonic() + SETTLED_WITHIN
    while not settled(fact := observe(connect(), probe)) and time.monotonic() < end:
        time.sleep(1)
    return fact


def complete(fact: Fact) -> bool:
    return not fact.gaps


def by_key(fact: Fact) -> dict[tuple[Any, ...], dict[str, Any]]:
    keys = [column.name for column in catalog("probes").load(fact.source).PROBE.columns if column.key]
    return {tuple(row[key] for key in keys): row for row in fact.rows()}


@pytest.mark.parametrize("probe", BOTH)
def test_a_probe_gives_the_same_fact_whichever_way_it_is_put(healthy: LabState, probe: str):
    connect = ways(healthy)
    first = observe_when_settled(connect.pop("jolokia"), probe, complete)
    for way, one in connect.items():
        # Prometheus knows of an application once it has scraped it.
        fact = observe_when_settled(one, probe, lambda fact: complete(fact) and fact.inapplicable == first.inapplicable)
        assert (fact.gaps, fact.inapplicable) == (first.gaps, first.inapplicable), way
        rows, others = by_key(first), by_key(fact)
        shared = rows.keys() & others.keys()  # kinds of request come up at any time
        if probe != "broker_request":  # the lab's exporters show four kinds of request of ninety
            assert len(shared) >= 0.9 * max(len(rows), len(others)), way
        assert shared or fact.inapplicable, way
        for key in shared:
            known_here = {
                name for name, cell in rows[key].items() if cell is not None and (probe, name) not in ONLY_JMX
            }
            known_there = {name for name, cell in others[key].items() if cell is not None}
            missing = {name for name in known_here - known_there if rows[key][name] != ""}
            assert not missing, (way, key, rows[key], others[key])
            for name in (
                "partitions",
                "leaders",
                "max_fds",
                "heap_max",
                "state",
                "active",
                "active_brokers",
                "leader",
                "max",
            ):
                if name in known_here & known_there:
                    assert rows[key][name] == others[key][name], (way, key, name)


def test_no_probe_leaves_anything_open_on_a_healthy_lab(healthy: LabState):
    for way, connect in ways(healthy).items():
        for probe in BOTH:
            fact = observe_when_settled(connect, probe, complete)
            assert fact.complete, (way, probe, fact.gaps)
            assert len(fact) or fact.inapplicable, (way, probe)


def send(url: str, body: dict[str, Any]) -> dict[str, Any]:
    request = urllib.request.Request(url + "/", json.dumps(body).encode(), {"Content-Type": "application/json"})
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(request, timeout=10) as answer:
        told: dict[str, Any] = json.loads(answer.read())
    return told


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
def test_the_agents_policy_refuses_what_is_not_reading(healthy: LabState, request_: dict[str, Any]):
    url = connections(healthy)["jolokia"]["agents"]["1"]
    told = send(url, request_)
    assert told["status"] == 403
    assert send(url, {"type": "read", "mbean": "java.lang:type=Memory", "attribute": "Verbose"})["value"] is False


def test_a_broker_that_hangs_costs_its_own_metrics_only_and_no_more_time_than_given(healthy: LabState):
    labs.break_(healthy.name, "freeze-broker", home=Path(healthy.folder).parent)
    pages = clients.connections(healthy, healthy.parts["clients"])
    start = time.monotonic()
    with ThreadPoolExecutor(2) as both:
        facts = both.map(
            lambda connect, kind: observe(connect(pages[kind], Clock(30, patience=6)), "broker_replication"),
            (jolokia.connect, prometheus.connect),
            ("jolokia", "prometheus"),
        )
        for fact in facts:
            assert set(fact.columns["broker"]) == {1, 2}
            [gap] = fact.gaps
            assert gap.keys == {"broker": 3}
            assert "did not answer in its time" in gap.reason
    assert time.monotonic() - start < 30  # what the clocks give, whatever else this machine does


def report(lab: LabState, *arguments: str) -> dict[str, Any]:
    inventory = Path(lab.folder, "environments.yaml")
    command = [RUNBOOK, "check", "observability", "-i", str(inventory), "-f", "json", "--deadline", "60s", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=90, env=os.environ, check=False)
    assert done.stderr == ""
    document: dict[str, Any] = json.loads(done.stdout)
    return document


def report_when(lab: LabState, settled: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """Check until the report is as wanted, or time is over: who asks for it judges it."""
    end = time.monotonic() + SETTLED_WITHIN
    while not settled(document := report(lab)) and time.monotonic() < end:
        time.sleep(1)
    return document


def named(document: dict[str, Any], outcome: str) -> set[str]:
    return {
        result["check"].removeprefix("observability/") for result in document["results"] if result["outcome"] == outcome
    }


# What a busy machine does to a healthy lab of its own accord: these say how quick it is.
HOW_QUICK = {
    *("produce-is-quick", "followers-fetch-quickly", "segments-are-flushed-quickly", "consumers-fetch-in-good-time"),
    *("groups-seldom-rebalance", "in-sync-sets-are-stable", "heartbeats-arrive-in-time", "request-handlers-have-time"),
    "network-threads-have-time",
}


def test_the_healthy_lab_fails_nothing_and_leaves_nothing_open(healthy: LabState):
    def well(document: dict[str, Any]) -> bool:
        return named(document, "fail") <= HOW_QUICK and not named(document, "unknown")

    document = report_when(healthy, well)
    assert (named(document, "fail") - HOW_QUICK, named(document, "unknown")) == (set(), set())


def test_a_lost_broker_is_a_gap_of_its_own_and_shows_in_the_metrics_of_the_others(healthy: LabState):
    home = Path(healthy.folder).parent
    labs.break_(healthy.name, "stop-broker", home=home)
    for way, connect in ways(healthy).items():
        fact = observe_when_settled(connect, "jvm_process", lambda fact: bool(fact.gaps))
        assert 2 not in fact.columns["broker"], way
        assert fact.gaps, way
    expected = {"replicas-are-in-sync-say-leaders", "every-partition-has-a-leader-says-the-controller"}
    if "prometheus" in healthy.parts:
        expected.add("every-target-is-scraped")
    document = report_when(healthy, lambda document: expected <= named(document, "fail"))
    assert expected <= named(document, "fail")
    assert "every-broker-shows-that-it-runs" in named(document, "unknown")
    labs.heal(healthy.name, home=home)
    for way, connect in ways(healthy).items():
        fact = observe_when_settled(connect, "jvm_process", lambda fact: {1, 2, 3} <= set(fact.columns["broker"]))
        assert {1, 2, 3} <= set(fact.columns["broker"]), way


def test_refused_writes_show_in_the_leaders_metrics(healthy: LabState):
    labs.break_(healthy.name, "shrink-isr", home=Path(healthy.folder).parent)
    assert "partitions-take-writes-say-leaders" in named(report(healthy), "fail")


def test_a_logger_at_debug_is_found(healthy: LabState):
    from kafka.admin import AlterConfigOp, ConfigResource

    from runbook.lab.admin import kafka_python

    def level(value: str | None) -> None:
        kind = AlterConfigOp.SET if value else AlterConfigOp.DELETE
        change = ConfigResource("broker_logger", "1", {"kafka.request.logger": (kind, value)})
        with kafka_python(healthy) as admin:
            admin.alter_configs([change], raise_on_unknown=False)

    level("DEBUG")
    try:
        [result] = [one for one in report(healthy)["results"] if one["check"].endswith("/no-broker-logs-at-debug")]
    finally:
        level(None)
    assert result["outcome"] == "fail"
    assert [row["key"] for row in result["rows"]] == [{"broker": 1, "logger": "kafka.request.logger"}]


def test_what_writers_wait_for_followers_is_measured(healthy: LabState, tmp_path: Path):
    inventory = yaml.safe_load(Path(healthy.folder, "environments.yaml").read_text("utf-8"))
    environment = inventory["environments"][healthy.name]
    environment["objectives"] = ["latency", "availability", "durability", "throughput"]
    environment["params"] = {"topologies/the-distance-costs-writers-little": {"ms": 60000.0}}  # no machine is as slow
    result = look("topologies", inventory, tmp_path / "environments.yaml")["the-distance-costs-writers-little"]
    assert (result["outcome"], result["judged"]) == ("pass", 3), (result["reason"], result["gaps"])

"""Metrics of a real lab are the same through Jolokia, pages and Prometheus, probe by probe and cell by cell."""

from pathlib import Path
from typing import Any

import pytest

import kafka_lab as labs
from kafka_lab import LabState
from live.measured.scenes import lacking
from runbook.model.fact import Fact
from runbook.plugins.catalog import catalog
from support.evidence.labs import Labs
from support.metric_ways import BOTH, complete, observe_when_settled, ways

LACKING = lacking()
# All probes through all ways take minutes; each way is walked in every run by tests/live/scraped.
pytestmark = [pytest.mark.live, pytest.mark.thorough, pytest.mark.skipif(bool(LACKING), reason=LACKING)]

# What exporters can't send: text, and what the JVM names in its own way.
ONLY_JMX = {("controller_quorum", "state"), ("jvm_gc", "last_ms")}


@pytest.fixture
def healthy(running: Labs) -> LabState:
    """Three brokers and two clients that are well."""
    lab: LabState = running.of("measured")
    return lab


def by_key(fact: Fact) -> dict[tuple[Any, ...], dict[str, Any]]:
    keys = [column.name for column in catalog("probes").load(fact.source).PROBE.columns if column.key]
    return {tuple(row[key] for key in keys): row for row in fact.rows()}


@pytest.mark.parametrize("probe", BOTH)
def test_a_probe_gives_the_same_fact_whichever_way_it_is_put(healthy: LabState, probe: str):
    connect = ways(healthy)
    first = observe_when_settled(connect.pop("jolokia"), probe, complete)
    for way, connection in connect.items():
        # Prometheus knows of an application once it has scraped it.
        fact = observe_when_settled(
            connection, probe, lambda fact: complete(fact) and fact.inapplicable == first.inapplicable
        )
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


def test_a_lost_broker_is_a_gap_of_its_own_by_every_way(healthy: LabState):
    home = Path(healthy.folder).parent
    labs.break_(healthy.name, "stop-broker", home=home)
    try:
        for way, connect in ways(healthy).items():
            fact = observe_when_settled(connect, "jvm_process", lambda fact: bool(fact.gaps))
            assert 2 not in fact.columns["broker"], way
            assert fact.gaps, way
    finally:
        labs.heal(healthy.name, home=home)
    for way, connect in ways(healthy).items():
        fact = observe_when_settled(connect, "jvm_process", lambda fact: {1, 2, 3} <= set(fact.columns["broker"]))
        assert {1, 2, 3} <= set(fact.columns["broker"]), way

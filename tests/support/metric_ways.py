"""The ways to the metrics of a lab's JVMs, and probes put through each of them."""

import time
from collections.abc import Callable
from typing import Any

from kafka_lab import LabState
from kafka_lab.parts import clients, connections, jmx
from runbook.connections import jolokia, prometheus
from runbook.model.fact import Fact, tabulate
from runbook.model.probe import Deadline
from runbook.plugins.catalog import catalog

SETTLED_WITHIN = 120.0  # seconds; Prometheus scrapes every ten, and a busy machine takes its time
BOTH = [
    name
    for name in catalog("probes").names()
    if {"jolokia", "prometheus"} <= set(catalog("probes").load(name).PROBE.connections)
]
"""The probes that can be put to either."""


def ways(lab: LabState) -> dict[str, Callable[[], Any]]:
    """What makes a connection for each way to the metrics."""
    pages = jmx.connections(lab, lab.parts["jmx"])["prometheus"]
    if "clients" in lab.parts:
        pages = clients.connections(lab, lab.parts["clients"])["prometheus"]
    offered = connections(lab)
    return {
        "jolokia": lambda: jolokia.connect(offered["jolokia"], patient()),
        "pages": lambda: prometheus.connect(pages, patient()),
        "server": lambda: prometheus.connect(offered["prometheus"], patient()),
    }


def patient() -> Deadline:
    """Begin anew for each connection: a machine that runs other tests too takes its time to answer."""
    return Deadline(600, patience=60)


def observe(connection: Any, probe: str) -> Fact:
    """Put a probe, as a worker does."""
    module = catalog("probes").load(probe)
    return tabulate(probe, module.PROBE.columns, module.observe(connection))


def observe_when_settled(connect: Callable[[], Any], probe: str, settled: Callable[[Fact], bool]) -> Fact:
    """Observe until the fact is as wanted, or time is over: who asks for it judges it."""
    end = time.monotonic() + SETTLED_WITHIN
    while not settled(fact := observe(connect(), probe)) and time.monotonic() < end:
        time.sleep(1)
    return fact


def complete(fact: Fact) -> bool:
    """Whether nothing is left open."""
    return not fact.gaps

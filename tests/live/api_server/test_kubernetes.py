"""The path through Kubernetes, on a real API server: what the shipped Role sees and asks for, and what goes wrong."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from kafka_lab.certificates import Authority
from kafka_lab.kubernetes.control_plane import write_kubeconfig
from live.api_server.scenes import Server, lacking
from live.kubernetes.scenes import settings
from runbook.connections.kubernetes import api as seam
from runbook.connections.kubernetes import connect
from runbook.model.ask import ask
from runbook.model.block import FactRequest
from runbook.model.fact import Fact, tabulate
from runbook.model.probe import Deadline
from runbook.plugins.catalog import catalog
from runbook.plugins.request import requests
from runbook.run.collection.workers import Work, Workers
from support.busy_machine import LATE
from support.evidence.labs import Labs

RUNBOOK = str(Path(sys.executable).with_name("runbook"))
DEADLINE = 15.0  # seconds; a machine that runs other tests too takes its time to start workers
PROBES = [
    name for name in catalog("probes").names() if catalog("probes").load(name).PROBE.connections[0] == "kubernetes"
]
NOT_INSTALLED = {"kubernetes_custom_resource", "openshift_route"} | {
    name for name in PROBES if name.startswith("strimzi_")
}
NOT_INSTALLED |= {
    "acl_declaration",
    "cluster_access",
    "cluster_declaration",
    "listener_declaration",
    "node_declaration",
}
NOT_INSTALLED |= {"planned_change", "topic_declaration"}
"""What has no meaning here: neither an operator nor OpenShift serves its resources."""
LACKING = lacking()
pytestmark = [
    pytest.mark.live,
    pytest.mark.timeout(1800),  # the first test may build the API server: 3 minutes on two idle cores
    pytest.mark.skipif(bool(LACKING), reason=LACKING),
]


@pytest.fixture(scope="module")
def server(running: Labs) -> Server:
    """With its objects."""
    lab: Server = running.of("api_server")
    return lab


def observe_all(given: dict[str, Any]) -> tuple[dict[str, Fact], float]:
    """Put every probe to the cluster, by real workers."""
    asks = [ask("lab", "kubernetes", FactRequest(probe), {}) for probe in PROBES]
    start = time.monotonic()
    workers = Workers([Work("lab", "kubernetes", given, asks)], DEADLINE, [])
    answers = [workers.answers.get(timeout=DEADLINE + 5) for _ in asks]
    took = time.monotonic() - start
    workers.stop()
    return {answered.ask.probe: answered.facts[""] for answered in answers}, took


def test_with_the_shipped_role_every_probe_sees_everything(server: Server):
    facts, _ = observe_all(settings(server.reader))
    assert {probe: fact.gaps for probe, fact in facts.items() if not fact.complete} == {}
    assert {probe for probe, fact in facts.items() if fact.inapplicable} == NOT_INSTALLED
    assert all(len(fact) for probe, fact in facts.items() if probe not in NOT_INSTALLED)


OF_CONTROLLERS = {"the-budget-lets-one-broker-go", "the-budget-does-not-block-maintenance", "budgets-keep-a-quorum"}
"""What nobody can tell where no controller has counted for a budget."""


def test_the_runbook_is_checked_as_a_user_does(server: Server, tmp_path: Path):
    inventory = tmp_path / "environments.yaml"
    environment = {"kubernetes": settings(server.reader), "absent": {"kafka": "this cluster has objects only"}}
    inventory.write_text(json.dumps({"environments": {"lab": environment}}))
    command = [RUNBOOK, "check", "kubernetes", "-i", str(inventory), "-f", "json", "--deadline", "20s"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=800, check=False)
    assert done.stderr == ""
    outcomes = {result["check"].partition("/")[2]: result["outcome"] for result in json.loads(done.stdout)["results"]}
    assert {check for check, outcome in outcomes.items() if outcome == "unknown"} == OF_CONTROLLERS
    assert outcomes["brokers-have-a-disruption-budget"] == "pass"
    assert outcomes["every-broker-pod-is-ready"] == "fail"  # no kubelet has started them


def test_pages_add_up_to_the_whole(server: Server, monkeypatch: pytest.MonkeyPatch):
    def nodes() -> list[str]:
        kubernetes = connect(settings(server.reader), Deadline(20))
        module = catalog("probes").load("kubernetes_node")
        names = [row.node for row in module.observe(kubernetes).rows]
        kubernetes.close()
        return names

    whole = nodes()
    monkeypatch.setattr(seam, "LIMIT", 2)
    assert nodes() == whole
    assert len(whole) > 4


def test_logs_of_pods_are_not_given_with_the_shipped_role(server: Server):
    kubernetes = connect(settings(server.reader) | {"logs": True}, Deadline(20))
    seen = catalog("probes").load("jvm_gc_log").observe(kubernetes)
    kubernetes.close()
    assert (len(seen.rows), len(seen.gaps)) == (0, 3)
    assert all("may not get pods/log in namespace kafka" in gap.reason for gap in seen.gaps)


def test_clients_are_read_out_of_config_maps(server: Server):
    clients = [
        {"name": "billing", "kind": "producer", "config_map": "kafka", "key": "server.properties"},
        {"name": "orders", "config_map": "orders", "key": "application.yaml"},
    ]
    kubernetes = connect(settings(server.reader) | {"clients": clients}, Deadline(20))
    probe = catalog("probes").load("client_config")
    fact = tabulate("client_config", probe.PROBE.columns, probe.observe(kubernetes))
    kubernetes.close()
    assert set(fact.columns["file"]) == {"ConfigMap kafka/kafka, server.properties"}
    assert [gap.reason.partition(" has ")[2] for gap in fact.gaps] == ["no ConfigMap orders in namespace kafka"]


def test_the_audit_log_knows_get_and_list_only(server: Server):
    observe_all(settings(server.reader))
    seen = [json.loads(line) for line in server.plane.audit_log.read_text("utf-8").splitlines()]
    ours = [event for event in seen if event["user"]["username"] == "system:serviceaccount:kafka:runbook"]
    assert ours
    assert {event["verb"] for event in ours} <= {"get", "list"}
    assert {event.get("userAgent") for event in ours} == {"runbook"}
    parts = [request.parts for request in requests(["kubernetes"]) if "verb" in request.parts]
    listed = {tuple(part[word] for word in ("verb", "group", "resource")) for part in parts}
    for asked in [{"verb": event["verb"], **event["objectRef"]} for event in ours if "objectRef" in event]:
        resource = "/".join(filter(None, (asked["resource"], asked.get("subresource"))))
        mine = (asked["verb"], asked.get("apiGroup", ""), resource)
        operators = asked.get("apiGroup", "").endswith((".strimzi.io", "confluent.io"))
        assert mine in listed or operators, mine
    assert not [event for event in ours if event.get("objectRef", {}).get("resource") == "secrets"]


def test_an_identity_without_rights_sees_nothing_and_says_what_it_lacks(server: Server):
    body = {"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest", "spec": {}}
    token = server.admin.post("/api/v1/namespaces/kafka/serviceaccounts/kafka/token", body)["status"]["token"]
    facts, took = observe_all(settings(write_kubeconfig(server.plane, "nobody", {"token": token}, "kafka")))
    assert took < DEADLINE + LATE
    for probe, fact in facts.items():
        if probe in {"kubernetes_cluster", *NOT_INSTALLED}:  # for everybody; not installed
            continue
        assert not fact.complete, probe
        assert fact.gaps[0].reason.startswith("we may not list "), probe


@pytest.mark.parametrize(
    ("user", "words"), [({"token": "not-a-token"}, "does not accept our credentials"), (None, "credentials")]
)
def test_a_login_that_is_not_or_no_longer_good_is_unknown(server: Server, user: dict[str, str] | None, words: str):
    plane = server.plane
    kubeconfig = write_kubeconfig(plane, "stranger", user, "kafka") if user else plane.file("expired.kubeconfig")
    facts, took = observe_all(settings(kubeconfig))
    assert took < DEADLINE + LATE
    for probe, fact in facts.items():
        assert not fact.complete, probe
        assert words in fact.gaps[0].reason


def test_another_authority_than_the_servers_is_unknown(server: Server, tmp_path: Path):
    Authority(tmp_path)
    address = server.plane.server
    given = {"server": address, "ca": str(tmp_path / "ca.crt"), "token": "some-token", "namespace": "kafka"}
    facts, _ = observe_all(given)
    for fact in facts.values():
        assert "not of the authority" in fact.gaps[0].reason


def test_an_api_server_that_stops_answering_is_unknown_in_time(server: Server):
    process = server.plane.processes["kube-apiserver"].pid
    os.kill(process, signal.SIGSTOP)
    try:
        facts, took = observe_all(settings(server.reader))
    finally:
        os.kill(process, signal.SIGCONT)
    assert took < DEADLINE + LATE
    for fact in facts.values():
        assert "in its time" in fact.gaps[0].reason
    facts, _ = observe_all(settings(server.reader))
    assert all(fact.complete for fact in facts.values())


def test_a_namespace_that_is_misspelt_is_no_empty_cluster(server: Server):
    facts, _ = observe_all(settings(server.reader) | {"namespace": "kafak"})
    assert not facts["kubernetes_pod"].complete

"""A real API server with the shipped Role: all probes answer, each fault fails its checks, what goes wrong is unknown.

The control plane is built from Go modules, which takes minutes. It is built here only where RUNBOOK_BUILD_KUBERNETES=1
is set; without that, and without a built one in the cache, these tests are skipped and the recordings stand for it.
"""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from documented import titled
from runbook.connections.kubernetes import api as seam
from runbook.connections.kubernetes import connect
from runbook.engine.ask import ask
from runbook.engine.block import FactRequest
from runbook.engine.catalog import catalog
from runbook.engine.fact import Fact, tabulate
from runbook.engine.probe import Clock
from runbook.engine.request import requests
from runbook.engine.workers import Work, Workers
from runbook.lab.errors import LabError
from runbook.lab.kubernetes import binaries, control_plane
from runbook.lab.kubernetes.admin import Admin
from runbook.lab.kubernetes.control_plane import Plane, write_kubeconfig
from runbook.lab.kubernetes.faults import FAULTS
from runbook.lab.kubernetes.objects import add_strimzi, fill

RUNBOOK = str(Path(sys.executable).with_name("runbook"))
RACKS = ("az-a", "az-b", "az-c")
LABELS = {"brokers": "app=kafka", "controllers": "app=kafka"}
DEADLINE = 4.0
PROBES = [
    name for name in catalog("probes").names() if catalog("probes").load(name).PROBE.connections == ("kubernetes",)
]

pytestmark = [
    pytest.mark.live,
    pytest.mark.timeout(2400),  # the first test may build the control plane: 4 minutes on two idle cores
    pytest.mark.skipif(
        not binaries.built() and os.environ.get(binaries.BUILD) != "1",
        reason="the control plane is not built; RUNBOOK_BUILD_KUBERNETES=1 builds it, which takes minutes",
    ),
]


def with_logs(programs: Path, folder: Path) -> Path:
    """The same programs, and simulated kubelets that show a log as the output of each broker's pod."""
    copy = folder / "programs"
    copy.mkdir()
    for program in programs.iterdir():
        if program.name != "stages.yaml":
            copy.joinpath(program.name).symlink_to(program)
    shown = [
        {
            "apiVersion": "kwok.x-k8s.io/v1alpha1",
            "kind": "Logs",
            "metadata": {"name": f"kafka-{number}", "namespace": "kafka"},
            "spec": {"logs": [{"containers": ["kafka"], "logsFile": str(written_log(folder / f"{number}.log"))}]},
        }
        for number in (1, 2, 3)
    ]
    stages = programs.joinpath("stages.yaml").read_text("utf-8")
    copy.joinpath("stages.yaml").write_text(f"{stages}\n---\n{yaml.safe_dump_all(shown)}")
    return copy


def written_log(file: Path) -> Path:
    """As a container runtime keeps it: what a JVM wrote since yesterday, among its server's own lines."""
    lines = ["[2026-11-21 10:00:00,000] INFO started (kafka.server.KafkaServer)"]
    for number, age in enumerate((100_000, 600, 60)):
        at = time.strftime("%Y-%m-%dT%H:%M:%S.000+0000", time.gmtime(time.time() - age))
        lines.append(f"[{at}][gc] GC({number}) Pause Young (Normal) (G1 Evacuation Pause) 100M->50M(200M) 12.5ms")
    file.write_text("".join(f"2026-11-21T10:00:00.000000000Z stdout F {line}\n" for line in lines))
    return file


@pytest.fixture(scope="module")
def plane(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Plane]:
    """Start a control plane for this module."""
    try:
        programs = binaries.programs(lambda _: None)
    except LabError as error:
        pytest.skip(f"the control plane could not be built: {error}")
    folder = tmp_path_factory.mktemp("kubernetes")
    started = control_plane.start(folder / "plane", with_logs(programs, folder), lambda _: None)
    yield started
    control_plane.stop(started)


@pytest.fixture(scope="module")
def admin(plane: Plane) -> Iterator[Admin]:
    """Speak to it as its owner."""
    owner = Admin(plane.file("admin.kubeconfig"))
    yield owner
    owner.close()


@pytest.fixture(scope="module")
def reader(plane: Plane, admin: Admin) -> Path:
    """Fill it; the kubeconfig of the shipped Role."""
    return fill(plane, admin, RACKS, Path("/var/lib/kafka"))


def settings(kubeconfig: Path) -> dict[str, Any]:
    return {"kubeconfig": str(kubeconfig), "namespace": "kafka", **LABELS}


def observe_all(given: dict[str, Any]) -> tuple[dict[str, Fact], float]:
    """Put every probe to the cluster, by real workers."""
    asks = [ask("lab", "kubernetes", FactRequest(probe), {}) for probe in PROBES]
    start = time.monotonic()
    workers = Workers([Work("lab", "kubernetes", given, asks)], start + DEADLINE, [])
    answers = [workers.answers.get(timeout=DEADLINE + 5) for _ in asks]
    took = time.monotonic() - start
    workers.stop()
    return {answered.ask.probe: answered.facts[""] for answered in answers}, took


def report(
    kubeconfig: Path, folder: Path, runbook: str = "kubernetes", params: dict[str, Any] | None = None
) -> dict[str, set[str]]:
    """Run a runbook as a user does; gives the checks by outcome."""
    inventory = folder / "environments.yaml"
    absent = {"kafka": "this cluster has pods only"}
    environment = {"kubernetes": settings(kubeconfig), "absent": absent, "labels": {"tier": "lab"}}
    environment["params"] = params or {}
    inventory.write_text(yaml.safe_dump({"environments": {"lab": environment}}))
    done = subprocess.run(
        [RUNBOOK, "check", runbook, "-i", str(inventory), "-f", "json", "--deadline", "20s"],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    found: dict[str, set[str]] = {}
    for result in json.loads(done.stdout)["results"]:
        found.setdefault(result["outcome"], set()).add(result["check"].partition("/")[2])
    return found


def test_with_the_shipped_role_every_probe_sees_everything(reader: Path):
    facts, _ = observe_all(settings(reader))
    assert {probe: fact.gaps for probe, fact in facts.items() if not fact.complete} == {}
    assert facts["kubernetes_custom_resource"].inapplicable
    assert all(len(fact) for probe, fact in facts.items() if probe != "kubernetes_custom_resource")


def test_a_cluster_that_is_right_passes(reader: Path, tmp_path: Path):
    found = report(reader, tmp_path)
    assert "fail" not in found
    assert "unknown" not in found
    assert "the-budget-lets-one-broker-go" in found["pass"]


def test_with_the_role_for_logs_collections_are_read_from_the_output_of_pods(reader: Path, admin: Admin):
    role = yaml.safe_load(titled("docs/how-to/least-privilege-kubernetes.md", "logs-role.yaml"))
    binding = {
        "apiVersion": role["apiVersion"],
        "kind": "RoleBinding",
        "metadata": role["metadata"],
        "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "Role", "name": role["metadata"]["name"]},
        "subjects": [{"kind": "ServiceAccount", "name": "runbook", "namespace": "kafka"}],
    }
    admin.create(role)
    admin.create(binding)
    kubernetes = connect(settings(reader) | {"logs": True}, Clock(20))
    probe = catalog("probes").load("jvm_gc_log")
    fact = tabulate("jvm_gc_log", probe.PROBE.columns, probe.observe(kubernetes))
    kubernetes.close()
    admin.delete(f"/apis/rbac.authorization.k8s.io/v1/namespaces/kafka/rolebindings/{role['metadata']['name']}")
    assert fact.gaps == []
    assert [(row["broker"], row["longest"], row["pauses"]) for row in fact.rows()] == [(n, 12.5, 2) for n in (1, 2, 3)]


# fault -> the checks that must fail; a pod that is gone or a node that is lost may touch others
EXPECTED = {
    "no-budget": {"brokers-have-a-disruption-budget", "the-budget-lets-one-broker-go", "budgets-keep-a-quorum"},
    "toothless-budget": {"the-budget-lets-one-broker-go", "budgets-keep-a-quorum"},
    "blocking-budget": {"the-budget-does-not-block-maintenance"},
    "second-budget": {"no-pod-is-under-two-budgets"},
    "host-path": {"no-broker-mounts-folders-of-its-node", "brokers-have-a-stable-identity"},
    "one-zone": {"brokers-are-in-three-zones"},
    "crash-loop": {"every-broker-pod-is-ready", "no-broker-waits", "workloads-have-all-their-pods"},
    "out-of-memory": {"brokers-were-not-killed-for-memory"},
    "node-not-ready": {"the-nodes-of-brokers-are-well"},
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_fails_the_checks_it_concerns(name: str, reader: Path, admin: Admin, tmp_path: Path):
    FAULTS[name].inject(admin)
    try:
        found = report(reader, tmp_path)
        assert EXPECTED[name] <= found.get("fail", set())
        assert "unknown" not in found
    finally:
        FAULTS[name].heal(admin)
    assert "fail" not in report(reader, tmp_path)


DEPLOYED = {
    "what-no-acl-names-is-refused-as-deployed",
    "super-users-are-those-declared-as-deployed",
    "volumes-are-encrypted",
}
CONFIG_MAP = "/api/v1/namespaces/kafka/configmaps/kafka"


def test_what_is_deployed_of_security_passes_when_right_and_fails_when_wrong(
    reader: Path, admin: Admin, tmp_path: Path
):
    before = admin.get(CONFIG_MAP)["data"]["server.properties"]
    authorizer = "authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer\n"
    params = {
        "security/super-users-are-those-declared-as-deployed": {"declared": "User:CN=kafka"},
        "security/volumes-are-encrypted": {"always": ["kubernetes.io/no-provisioner"]},
    }
    try:
        deploy(admin, f"{before}{authorizer}super.users=User:CN=kafka\n")
        assert report(reader, tmp_path, "security", params)["pass"] >= DEPLOYED
        deploy(admin, f"{before}{authorizer}super.users=User:*\nallow.everyone.if.no.acl.found=true\n")
        assert report(reader, tmp_path, "security")["fail"] >= DEPLOYED
    finally:
        deploy(admin, before)


def deploy(admin: Admin, properties: str) -> None:
    admin.patch(CONFIG_MAP, {"data": {"server.properties": properties}})


def test_pages_add_up_to_the_whole(reader: Path, monkeypatch: pytest.MonkeyPatch):
    def nodes() -> list[str]:
        kubernetes = connect(settings(reader), Clock(20))
        module = catalog("probes").load("kubernetes_node")
        names = [row[0] for row in module.observe(kubernetes).rows]
        kubernetes.close()
        return names

    whole = nodes()
    monkeypatch.setattr(seam, "LIMIT", 2)
    assert nodes() == whole
    assert len(whole) > 4


def test_logs_of_pods_are_not_given_with_the_shipped_role(reader: Path):
    kubernetes = connect(settings(reader) | {"logs": True}, Clock(20))
    seen = catalog("probes").load("jvm_gc_log").observe(kubernetes)
    kubernetes.close()
    assert (len(seen.rows), len(seen.gaps)) == (0, len(RACKS))
    assert all("may not get pods/log in namespace kafka" in gap.reason for gap in seen.gaps)


def test_clients_are_read_out_of_config_maps(reader: Path):
    clients = [
        {"name": "billing", "kind": "producer", "config_map": "kafka", "key": "server.properties"},
        {"name": "orders", "config_map": "orders", "key": "application.yaml"},
    ]
    kubernetes = connect(settings(reader) | {"clients": clients}, Clock(20))
    probe = catalog("probes").load("client_config")
    fact = tabulate("client_config", probe.PROBE.columns, probe.observe(kubernetes))
    kubernetes.close()
    assert set(fact.columns["file"]) == {"ConfigMap kafka/kafka, server.properties"}
    assert [gap.reason.partition(" has ")[2] for gap in fact.gaps] == ["no ConfigMap orders in namespace kafka"]


def test_the_audit_log_knows_get_and_list_only(plane: Plane, reader: Path):
    observe_all(settings(reader))
    seen = [json.loads(line) for line in plane.audit_log.read_text("utf-8").splitlines()]
    ours = [one for one in seen if one["user"]["username"] == "system:serviceaccount:kafka:runbook"]
    assert ours
    assert {one["verb"] for one in ours} <= {"get", "list"}
    assert {one.get("userAgent") for one in ours} == {"runbook"}
    parts = [one.parts for one in requests(["kubernetes"]) if "verb" in one.parts]
    listed = {tuple(one[word] for word in ("verb", "group", "resource")) for one in parts}
    for asked in [{"verb": one["verb"], **one["objectRef"]} for one in ours if "objectRef" in one]:
        resource = "/".join(filter(None, (asked["resource"], asked.get("subresource"))))
        mine = (asked["verb"], asked.get("apiGroup", ""), resource)
        operators = asked.get("apiGroup", "").endswith((".strimzi.io", "confluent.io"))
        assert mine in listed or operators, mine
    assert not [one for one in ours if one.get("objectRef", {}).get("resource") == "secrets"]


def test_an_identity_without_rights_sees_nothing_and_says_what_it_lacks(plane: Plane, admin: Admin, reader: Path):
    del reader
    body = {"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest", "spec": {}}
    token = admin.post("/api/v1/namespaces/kafka/serviceaccounts/kafka/token", body)["status"]["token"]
    facts, took = observe_all(settings(write_kubeconfig(plane, "nobody", {"token": token}, "kafka")))
    assert took < DEADLINE
    for probe, fact in facts.items():
        if probe in {"kubernetes_cluster", "kubernetes_custom_resource"}:  # for everybody; not installed
            continue
        assert not fact.complete, probe
        assert fact.gaps[0].reason.startswith("we may not list "), probe


@pytest.mark.parametrize(
    ("user", "words"), [({"token": "not-a-token"}, "does not accept our credentials"), (None, "credentials")]
)
def test_a_login_that_is_not_or_no_longer_good_is_unknown(
    plane: Plane, reader: Path, user: dict[str, str] | None, words: str
):
    del reader
    kubeconfig = write_kubeconfig(plane, "stranger", user, "kafka") if user else plane.file("expired.kubeconfig")
    facts, took = observe_all(settings(kubeconfig))
    assert took < DEADLINE + 0.5
    for probe, fact in facts.items():
        assert not fact.complete, probe
        assert words in fact.gaps[0].reason


def test_another_authority_than_the_servers_is_unknown(plane: Plane, reader: Path, tmp_path: Path):
    from runbook.lab.certificates import Authority

    del reader
    Authority(tmp_path)
    given = {"server": plane.server, "ca": str(tmp_path / "ca.crt"), "token": "some-token", "namespace": "kafka"}
    facts, _ = observe_all(given)
    for fact in facts.values():
        assert "not of the authority" in fact.gaps[0].reason


def test_an_api_server_that_stops_answering_is_unknown_in_time(plane: Plane, reader: Path):
    server = plane.processes["kube-apiserver"].pid
    os.kill(server, signal.SIGSTOP)
    try:
        facts, took = observe_all(settings(reader))
    finally:
        os.kill(server, signal.SIGCONT)
    assert took < DEADLINE + 0.5
    for fact in facts.values():
        assert "in its time" in fact.gaps[0].reason
    facts, _ = observe_all(settings(reader))
    assert all(fact.complete for fact in facts.values())


def test_a_namespace_that_is_misspelt_is_no_empty_cluster(reader: Path):
    facts, _ = observe_all(settings(reader) | {"namespace": "kafak"})
    assert not facts["kubernetes_pod"].complete


def test_operators_resources_are_read_with_the_shipped_role(admin: Admin, reader: Path):
    add_strimzi(admin)
    facts, _ = observe_all(settings(reader))
    [row] = facts["kubernetes_custom_resource"].rows()
    assert (row["resource"], row["version"], row["ready"]) == ("orders", "v1", True)

"""Kafka 3.9 in ZooKeeper mode with three real ZooKeeper servers: `runbook check ha` when all is well, and when not."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from kazoo.client import KazooClient

from looked import look
from runbook import lab as labs
from runbook.connections.zookeeper import connect
from runbook.engine.probe import Clock
from runbook.lab import LabState, brokers, processes, zookeeper
from runbook.lab.certificates import Authority
from runbook.lab.configuration import properties_file, write_configuration
from runbook.lab.state import known
from runbook.lab.waiting import wait_for_brokers, wait_for_full_isr, wait_until
from runbook.lab.zookeeper_logins import SUPER, super_password
from test_fault_matrix import observe_all

RUNBOOK = str(Path(sys.executable).with_name("runbook"))
BY_CHANCE = {"log-directories-have-room"}  # how full this machine's disk is decides
pytestmark = pytest.mark.live

OF_THE_ENSEMBLE = {
    "zookeeper-has-a-quorum",
    "zookeeper-outlives-any-one-server",
    "every-zookeeper-server-answers",
    "every-zookeeper-server-serves",
    "one-zookeeper-leads-and-the-others-follow",
    "zookeeper-has-three-or-five-servers",
    "zookeeper-servers-know-the-same-members",
    "zookeeper-servers-stand-apart",
    "zookeeper-is-not-on-brokers-machines",
    "zookeeper-serves-this-kafka-only",
    "a-shared-zookeeper-is-divided",
    "brokers-know-enough-zookeeper-servers",
}
KRAFT_ONLY = {
    "one-controller-is-active",
    "controllers-are-three-or-five",
    "controllers-keep-up",
    "controllers-outlive-any-one-node",
    "controllers-outlive-any-rack",
    "eligible-leader-replicas-are-on",
    "brokers-are-not-declared-dead-too-soon",
}
NEEDS_EVERY_SERVER = {
    "every-zookeeper-server-serves",
    "zookeeper-servers-know-the-same-members",
    "zookeeper-servers-stand-apart",
    "zookeeper-is-not-on-brokers-machines",
    "zookeeper-serves-this-kafka-only",
    "a-shared-zookeeper-is-divided",
}


LOST_ONE = {
    "the-cluster-runs-kraft",
    "every-zookeeper-server-answers",
    "zookeeper-outlives-any-one-server",
    "one-zookeeper-leads-and-the-others-follow",
}


@pytest.fixture(scope="module")
def ensemble(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LabState]:
    """A lab in ZooKeeper mode, in a folder of its own."""
    home = tmp_path_factory.mktemp("zookeeper")
    try:
        yield labs.up("zookeeper", home=home, progress=lambda _: None, with_parts=["zookeeper"])
    finally:
        labs.down("zookeeper", home=home)


@pytest.fixture
def healthy(ensemble: LabState) -> Iterator[LabState]:
    """The lab, healed afterwards."""
    yield ensemble
    labs.heal(ensemble.name, home=Path(ensemble.folder).parent)


def inject(lab: LabState, fault: str) -> None:
    labs.break_(lab.name, fault, home=Path(lab.folder).parent)


def settings(lab: LabState) -> dict[str, Any]:
    text = Path(lab.folder, "environments.yaml").read_text("utf-8")
    found: dict[str, Any] = yaml.safe_load(text)["environments"][lab.name]["zookeeper"]
    return found


def report(lab: LabState, runbook: str = "ha", **more: str) -> dict[str, set[str]]:
    """Check, with time for a busy machine and more settings of zookeeper; gives the checks by outcome."""
    inventory = Path(lab.folder, "environments.yaml")
    if more:
        told = yaml.safe_load(inventory.read_text("utf-8"))
        told["environments"][lab.name]["zookeeper"] |= more
        inventory = inventory.with_name("other.yaml")
        inventory.write_text(yaml.safe_dump(told))
    command = [RUNBOOK, "check", runbook, "-i", str(inventory), "-f", "json", "--deadline", "30s"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, env=dict(os.environ), check=False)
    assert done.stderr == ""
    found: dict[str, set[str]] = {}
    for result in json.loads(done.stdout)["results"]:
        found.setdefault(result["outcome"], set()).add(result["check"].partition("/")[2])
    return {outcome: names - BY_CHANCE for outcome, names in found.items()}


def test_an_ensemble_that_is_well_passes_and_kraft_does_not_apply(healthy: LabState):
    found = report(healthy)
    assert found["fail"] == {"the-cluster-runs-kraft"}  # which is so
    assert "unknown" not in found
    assert found["pass"] >= OF_THE_ENSEMBLE
    assert found["not_applicable"] >= KRAFT_ONLY


def test_a_server_that_is_lost_fails_what_it_breaks_and_leaves_the_rest(healthy: LabState):
    inject(healthy, "stop-zookeeper")
    found = report(healthy)
    assert found["fail"] == LOST_ONE
    assert "zookeeper-has-a-quorum" in found["pass"]
    assert found["unknown"] >= NEEDS_EVERY_SERVER
    assert not [check for check in found["unknown"] if "zookeeper" not in check]


def test_a_server_that_hangs_is_unknown_in_time(healthy: LabState):
    inject(healthy, "freeze-zookeeper")
    facts, _ = observe_all("zookeeper", settings(healthy))  # cut off at a deadline, it would say that instead
    for probe, fact in facts.items():
        # Of the ensemble those that answer may prove what there is to know; of nodes any one server tells.
        if probe not in ("zookeeper_ensemble", "zookeeper_znode"):
            assert not fact.complete, probe
            assert [gap.keys for gap in fact.gaps] == [{"server": "zk-2"}]
            assert "in its time" in fact.gaps[0].reason
            assert len(fact), probe
    found = report(healthy)
    assert found["fail"] == LOST_ONE
    assert "zookeeper-has-a-quorum" in found["pass"]
    assert not found["pass"] & NEEDS_EVERY_SERVER


def test_an_ensemble_without_a_majority_never_passes(healthy: LabState):
    inject(healthy, "lose-ensemble")
    found = report(healthy)
    assert found["fail"] >= {"every-zookeeper-server-answers", "every-zookeeper-server-serves"}
    assert not found["pass"] & (OF_THE_ENSEMBLE - {"brokers-know-enough-zookeeper-servers"})


def test_the_admin_server_tells_the_same(healthy: LabState):
    by_word = settings(healthy)
    by_http: dict[str, Any] = by_word | {"servers": {}}
    for server in zookeeper.servers_of(known(healthy.name, Path(healthy.folder).parent)):
        admin = {"admin": f"127.0.0.1:{server.admin_port}"}
        by_http["servers"][server.name] = by_word["servers"][server.name] | admin
    same = {"zookeeper_ensemble", "zookeeper_member", "zookeeper_config"}
    words, http = (observe_all("zookeeper", given)[0] for given in (by_word, by_http))
    for probe in words:
        assert words[probe].complete, words[probe].gaps
        assert http[probe].complete, http[probe].gaps
        assert words[probe].columns == http[probe].columns or probe not in same
        assert len(words[probe]) == len(http[probe]) or probe == "zookeeper_client"  # clients come and go


def test_the_lab_names_the_cluster_by_the_id_that_kafka_gave_itself(healthy: LabState):
    facts, _ = observe_all("kafka", {"bootstrap.servers": healthy.bootstrap})
    [row] = facts["kafka_cluster"].rows()
    assert (row["mode"], row["cluster_id"]) == ("zookeeper", healthy.cluster_id)


CLOSED = {
    "strangers-change-nothing-in-zookeeper",
    "zookeeper-hides-credentials",
    "brokers-protect-what-they-write-to-zookeeper",
}
PLAIN = {"brokers-encrypt-to-zookeeper", "zookeeper-takes-tls-only"}


def test_nodes_that_brokers_protect_are_closed_to_strangers_and_plain_ports_are_told(healthy: LabState):
    found = report(healthy, "security")
    assert found["pass"] >= CLOSED
    assert found["fail"] >= PLAIN


def test_nodes_that_somebody_opened_are_told_and_healing_closes_them(healthy: LabState):
    inject(healthy, "open-znodes")
    found = report(healthy, "security")
    assert found["fail"] >= CLOSED - {"brokers-protect-what-they-write-to-zookeeper"} | PLAIN
    labs.heal(healthy.name, home=Path(healthy.folder).parent)
    assert report(healthy, "security")["pass"] >= CLOSED


def test_nodes_below_another_chroot_are_no_evidence(healthy: LabState):
    facts, _ = observe_all("zookeeper", settings(healthy) | {"chroot": "/elsewhere"})
    assert len(facts["zookeeper_znode"]) == 0
    assert "chroot" in facts["zookeeper_znode"].gaps[0].reason


OF_PLACES = {"the-layout-with-zookeeper-is-as-decided", "zookeeper-outlives-any-data-centre"}
OF_BROKERS = "brokers-use-zookeeper-of-their-data-centre"
OF_ONE_PLACE = "one-location-has-three-zookeeper-servers"


def test_servers_of_zookeeper_stand_in_data_centres_or_do_not(healthy: LabState, tmp_path: Path):
    """Brokers in three; servers in as many, all in one of them, and brokers and servers in one place."""
    inventory = yaml.safe_load(Path(healthy.folder, "environments.yaml").read_text("utf-8"))
    environment = inventory["environments"][healthy.name]
    environment["params"] = {"topologies/*": {"layout": "3"}}
    environment["objectives"] = ["latency", "durability", "availability", "throughput"]
    apart = look("topologies", inventory, tmp_path / "apart.yaml")
    assert {name: apart[name]["outcome"] for name in OF_PLACES} == dict.fromkeys(OF_PLACES, "pass")
    assert apart[OF_BROKERS]["outcome"] == "fail"  # each of them knows the servers of all places
    assert "zk-2" in json.dumps(apart[OF_BROKERS]["rows"])
    for server in environment["zookeeper"]["servers"].values():
        server["rack"] = "az-b"
    together = look("topologies", inventory, tmp_path / "together.yaml")
    for name in OF_PLACES:
        assert together[name]["outcome"] == "fail"
        assert "az-b" in json.dumps(together[name]["rows"])
    environment["params"] = {"topologies/*": {"sites": ["*=here"]}}
    assert look("topologies", inventory, tmp_path / "one.yaml")[OF_ONE_PLACE]["outcome"] == "pass"


def encrypt(lab: LabState) -> str:
    """Restart all with TLS to ZooKeeper alone, and one broker that protects nothing; gives the authority's file."""
    folder = Path(lab.folder, "tls")
    Authority(folder).issue("server", "zookeeper", names=["127.0.0.1", "localhost"])
    store = folder / "server.pem"
    store.write_bytes((folder / "server.key").read_bytes() + (folder / "server.crt").read_bytes())
    stores = {"ssl.trustStore.type": "PEM", "ssl.trustStore.location": folder / "ca.crt"}
    servers = zookeeper.servers_of(lab)
    stop(lab, servers)
    for server in servers:
        file = Path(lab.folder, "config", f"zookeeper-{server.number}.properties")
        kept = [line for line in file.read_text("utf-8").splitlines() if not line.startswith("clientPort")]
        of_server = stores | {
            "secureClientPort": server.port,
            "secureClientPortAddress": "127.0.0.1",
            "serverCnxnFactory": "org.apache.zookeeper.server.NettyServerCnxnFactory",
            "ssl.keyStore.type": "PEM",
            "ssl.keyStore.location": store,
            "ssl.clientAuth": "none",
        }
        file.write_text("\n".join([*kept, *(f"{name}={value}" for name, value in of_server.items())]) + "\n")
        zookeeper.start(lab, server)
    zookeeper.note(lab, servers)
    by_http = {one.name: {"address": one.address, "admin": f"127.0.0.1:{one.admin_port}"} for one in servers}
    wait_until(lambda: modes(by_http) == ["follower", "follower", "leader"], "the ensemble with TLS", within=90)
    for broker in lab.brokers:
        of_broker = {
            "zookeeper.ssl.client.enable": "true",
            "zookeeper.clientCnxnSocket": "org.apache.zookeeper.ClientCnxnSocketNetty",
            "zookeeper.ssl.truststore.type": "PEM",
            "zookeeper.ssl.truststore.location": folder / "ca.crt",
            "zookeeper.set.acl": "false" if broker.number == 3 else "true",
        }
        write_configuration(lab, broker)
        with properties_file(lab, broker).open("a") as out:
            out.writelines(f"{name}={value}\n" for name, value in of_broker.items())
        brokers.start(lab, broker)
    wait_for_brokers(lab)
    return str(folder / "ca.crt")


def modes(servers: dict[str, dict[str, str]]) -> list[str]:
    asked = connect({"servers": servers}, Clock(5.0))
    (states, _), _, _ = asked.overview()
    asked.close()
    return sorted(state.mode for state in states.values())


def stop(lab: LabState, servers: list[zookeeper.Server], **tls: Any) -> None:
    """Kill the brokers, forget that they were there, which takes their sessions' time else, and stop the servers."""
    for broker in lab.brokers:
        processes.terminate(broker.process, patience=0)
    client = KazooClient(",".join(server.address for server in servers), timeout=30, **tls)
    client.start(timeout=30)
    try:
        client.add_auth("digest", f"{SUPER}:{super_password(lab)}")
        gone = [f"/brokers/ids/{broker.number}" for broker in lab.brokers]
        for path in (zookeeper.chroot(lab) + node for node in (*gone, "/controller")):
            if client.exists(path):
                client.delete(path)
    finally:
        client.stop()
        client.close()
    for server in servers:
        processes.terminate(server.process, patience=8)


def restore(lab: LabState) -> None:
    """Restart all as the lab began."""
    servers = zookeeper.servers_of(lab)
    stop(lab, servers, use_ssl=True, ca=str(Path(lab.folder, "tls", "ca.crt")))
    zookeeper.write_configuration(lab, servers)
    for server in servers:
        zookeeper.start(lab, server)
    zookeeper.note(lab, servers)
    zookeeper.wait_for_ensemble(lab, servers, len(servers))
    for broker in lab.brokers:
        write_configuration(lab, broker)
        brokers.start(lab, broker)
    wait_for_brokers(lab)
    wait_for_full_isr(lab)


def test_servers_and_brokers_that_speak_tls_alone_pass_and_a_broker_that_protects_nothing_fails(healthy: LabState):
    lab = known(healthy.name, Path(healthy.folder).parent)
    authority = encrypt(lab)
    try:
        found = report(lab, "security", ca=authority)
    finally:
        restore(lab)
    # Where that broker became the controller, it has written more than its own node for everybody to change.
    depends = {"brokers-protect-what-they-write-to-zookeeper", "strangers-change-nothing-in-zookeeper"}
    assert found["pass"] >= PLAIN | CLOSED - depends
    assert "brokers-protect-what-they-write-to-zookeeper" in found["fail"]

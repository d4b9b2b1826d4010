"""A real ensemble as the connection sees it: by word, by admin server, with a server that hangs and one that is lost.

The servers stand alone: they are up in seconds, and brokers would change nothing in what they are asked. What the
runbooks say of a cluster with its ensemble is judged from kept evidence.
"""

import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from kazoo.client import KazooClient

from kafka_lab import LabState, parts, processes, zookeeper
from kafka_lab.configuration import new_id
from kafka_lab.jars import fetch_jars
from kafka_lab.parts.zookeeper import RELEASE
from runbook.answers.zookeeper import QUESTIONS
from runbook.folders import cache_folder
from test_fault_matrix import observe_all

PATIENT = 30.0  # seconds for answers on a busy machine
IN_TIME = 12.0
pytestmark = pytest.mark.live


@pytest.fixture(scope="module")
def ensemble(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LabState]:
    """Three servers without brokers, and a session with each of them."""
    folder = tmp_path_factory.mktemp("ensemble")
    jars = fetch_jars(RELEASE.jars, cache_folder(), lambda _: None)
    alone = LabState("ensemble", str(folder), new_id(), RELEASE.version, str(jars.absolute()), [])
    alone.parts[zookeeper.PART] = {}
    try:
        parts.prepare(alone, lambda _: None)
        warm_up(alone)
        yield alone
    finally:
        parts.stop(alone)


def warm_up(lab: LabState) -> None:
    """Ask each admin server everything once: it loads its classes by the first request, which takes seconds."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    for server in zookeeper.servers_of(lab):
        for question in QUESTIONS:
            for command in question.commands:
                url = f"http://127.0.0.1:{server.admin_port}/commands/{command}"
                with opener.open(url, timeout=PATIENT) as answer:
                    answer.read()


@contextmanager
def sessions(lab: LabState) -> Iterator[None]:
    """A session with each of the servers that serve, as brokers have them."""
    serving = [server for server in zookeeper.servers_of(lab) if processes.condition(server.process) == "alive"]
    clients = [KazooClient(server.address, timeout=30) for server in serving]
    try:
        for client in clients:
            client.start(timeout=30)
        yield
    finally:
        for client in clients:
            client.stop()
            client.close()


def settings(lab: LabState) -> dict[str, Any]:
    """What the inventory says of the ensemble."""
    found: dict[str, Any] = parts.connections(lab)[zookeeper.PART]
    return found


def by_http(lab: LabState) -> dict[str, Any]:
    """The same, over the admin servers."""
    found = settings(lab)
    for server in zookeeper.servers_of(lab):
        found["servers"][server.name]["admin"] = f"127.0.0.1:{server.admin_port}"
    return found


def ensemble_of(lab: LabState) -> dict[str, Any]:
    """The one row of the ensemble."""
    facts, _ = observe_all("zookeeper", settings(lab), PATIENT)
    [row] = facts["zookeeper_ensemble"].rows()
    return row


def test_the_admin_server_tells_the_same(ensemble: LabState):
    same = {"zookeeper_ensemble", "zookeeper_member", "zookeeper_config"}
    with sessions(ensemble):
        words, http = (observe_all("zookeeper", by, PATIENT)[0] for by in (settings(ensemble), by_http(ensemble)))
    for probe in words.keys() - {"zookeeper_znode"}:  # which nobody tells but a session, and nodes there are none
        assert words[probe].complete, words[probe].gaps
        assert http[probe].complete, http[probe].gaps
        assert words[probe].columns == http[probe].columns or probe not in same
        assert len(words[probe]) == len(http[probe]) > 0, probe


def test_nodes_below_another_chroot_are_no_evidence(ensemble: LabState):
    facts, _ = observe_all("zookeeper", settings(ensemble) | {"chroot": "/elsewhere"}, PATIENT)
    assert len(facts["zookeeper_znode"]) == 0
    assert "chroot" in facts["zookeeper_znode"].gaps[0].reason


def test_a_server_that_hangs_is_unknown_in_time_and_one_that_is_lost_is_found(ensemble: LabState):
    well = ensemble_of(ensemble)
    assert (well["quorum"], well["spare"], well["silent"]) == (True, 1, [])
    servers = zookeeper.servers_of(ensemble)
    processes.freeze(servers[1].process)
    zookeeper.wait_for_ensemble(ensemble, servers, zookeeper.COUNT - 1)  # which may have to elect a leader first
    with sessions(ensemble):
        facts, took = observe_all("zookeeper", settings(ensemble), IN_TIME)
    assert took < IN_TIME  # cut off at the deadline, it would say that instead
    for probe, fact in facts.items():
        # Of the ensemble those that answer may prove what there is to know; of nodes any one server tells.
        if probe not in ("zookeeper_ensemble", "zookeeper_znode"):
            assert not fact.complete, probe
            assert [gap.keys for gap in fact.gaps] == [{"server": "zk-2"}]
            assert "in its time" in fact.gaps[0].reason
            assert len(fact), probe
    processes.terminate(servers[1].process, patience=0)
    zookeeper.wait_for_ensemble(ensemble, servers, zookeeper.COUNT - 1)
    lost = ensemble_of(ensemble)
    assert (lost["quorum"], lost["spare"], lost["silent"]) == (True, 0, ["zk-2"])

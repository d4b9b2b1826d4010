"""Nodes of ZooKeeper as kazoo tells of them: the seam is the client, fed with the ACLs of a real lab."""

from collections.abc import Sequence
from typing import Any

import pytest
from kazoo.exceptions import AuthFailedError, ConnectionLoss, NoAuthError, NoNodeError
from kazoo.handlers.threading import KazooTimeoutError
from kazoo.security import ACL, Id

from runbook.connections.zookeeper import connect, tree
from runbook.model.errors import Misconfigured
from runbook.model.fact import Fact, tabulate
from runbook.model.probe import Deadline
from runbook.probes import zookeeper_znode
from support.zookeeper_servers import word_server

WORLD = ACL(1, Id("world", "anyone"))
BROKER = ACL(31, Id("sasl", "kafka"))
DIGEST = ACL(31, Id("digest", "super:hunter22="))
PROTECTED = {"/kafka/brokers": [BROKER, WORLD], "/kafka/config/users": NoAuthError(), "/kafka/admin": [DIGEST]}


class Answer:
    """What kazoo hands out for a question."""

    def __init__(self, result: Sequence[Any] | Exception) -> None:
        self._result = result

    def get(self, timeout: float) -> tuple[Sequence[Any], None]:
        """Give it, or raise it."""
        del timeout
        if isinstance(self._result, Exception):
            raise self._result
        return self._result, None


class Client:
    """Stands where kazoo's client stands."""

    def __init__(self, acls: dict[str, Any], failure: Exception | None = None) -> None:
        self._acls, self._failure = acls, failure
        self.closed = False

    client_id = (-1, b"")

    def start(self, timeout: float) -> None:
        """Open a session."""
        del timeout
        if self._failure:
            raise self._failure

    def get_acls_async(self, path: str) -> Answer:
        """Ask for an ACL."""
        return Answer(self._acls.get(path, NoNodeError()))

    def stop(self) -> None:
        """Nothing runs."""

    def close(self) -> None:
        """Hang up."""
        self.closed = True


def observe(monkeypatch: pytest.MonkeyPatch, client: Client, chroot: str = "/kafka") -> Fact:
    monkeypatch.setattr(tree, "session", lambda *_: client)
    zookeeper = connect({"servers": {"zk-1": {"address": "127.0.0.1:1"}}, "chroot": chroot}, Deadline(5))
    fact = tabulate("zookeeper_znode", zookeeper_znode.PROBE.columns, zookeeper_znode.observe(zookeeper))
    zookeeper.close()
    assert client.closed
    return fact


def test_what_everybody_and_others_may_is_told_of_nodes_that_are_there(monkeypatch: pytest.MonkeyPatch):
    rows = {row["path"]: row for row in observe(monkeypatch, Client(PROTECTED)).rows()}
    assert set(rows) == {"/brokers", "/config/users", "/admin"}
    assert (rows["/brokers"]["everybody"], rows["/brokers"]["others"]) == (["read"], ["sasl:kafka"])
    assert (rows["/config/users"]["hidden"], rows["/config/users"]["everybody"]) == (True, None)
    assert rows["/config/users"]["holds_credentials"]


def test_the_hash_of_a_digest_is_not_told(monkeypatch: pytest.MonkeyPatch):
    fact = observe(monkeypatch, Client(PROTECTED))
    assert ["digest:super"] in fact.columns["others"]
    assert "hunter22" not in str(fact)


def test_without_one_of_kafkas_nodes_there_is_no_evidence(monkeypatch: pytest.MonkeyPatch):
    fact = observe(monkeypatch, Client(PROTECTED), chroot="/other")
    assert (len(fact), fact.complete) == (0, False)


@pytest.mark.parametrize(
    ("failure", "said"),
    [
        (KazooTimeoutError(), "opened no session"),
        (AuthFailedError(), "without a login"),
        (ConnectionLoss(), "ended our session"),
        (NoNodeError(), "NoNodeError"),
    ],
)
def test_a_session_that_fails_is_a_gap_with_its_reason(monkeypatch: pytest.MonkeyPatch, failure: Exception, said: str):
    fact = observe(monkeypatch, Client({}, failure))
    assert said in fact.gaps[0].reason


def test_our_own_session_is_none_of_the_clients_that_servers_tell(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(tree, "session", lambda *_: Client(PROTECTED))
    own = " /10.0.0.9:1[1](queued=0,recved=1,sent=1,sid=0xffffffffffffffff,lop=SESS,to=5000)\n"
    other = " /10.0.0.8:1[1](queued=0,recved=1,sent=1,sid=0x100000,lop=SESS,to=18000)\n"
    with word_server({"cons": own + other}) as (address, _):
        zookeeper = connect({"servers": {"zk-1": {"address": address}}, "chroot": "/kafka"}, Deadline(30))
        zookeeper.nodes()
        clients, _ = zookeeper.clients()
        zookeeper.close()
    assert [client.host for client in clients["zk-1"]] == ["10.0.0.8"]


def test_a_chroot_is_a_path():
    with pytest.raises(Misconfigured, match="chroot"):
        connect({"servers": {"zk-1": "127.0.0.1:1"}, "chroot": "kafka"}, Deadline(5))

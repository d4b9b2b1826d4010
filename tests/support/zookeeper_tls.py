"""A lab in ZooKeeper mode that speaks nothing but TLS to its ensemble, with one broker that protects nothing there."""

import json
import socket
import ssl
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from kazoo.client import KazooClient
from kazoo.security import OPEN_ACL_UNSAFE

from kafka_lab import LabState, brokers, processes, zookeeper
from kafka_lab.certificates import Authority
from kafka_lab.configuration import properties_file, write_configuration
from kafka_lab.errors import LabError
from kafka_lab.waiting import wait_for_brokers, wait_for_full_isr, wait_until
from kafka_lab.zookeeper_logins import SUPER, super_password
from kafka_lab.zookeeper_words import answer_to

CARELESS: Final = 3
"""The broker that protects nothing of what it writes."""

_WITHIN = 240.0
_PATIENCE = 30.0


def encrypt(lab: LabState) -> Path:
    """Restart all with TLS to ZooKeeper alone, and one broker that protects nothing; gives the authority's file."""
    folder = Path(lab.folder, "tls")
    Authority(folder).issue("server", "zookeeper", names=["127.0.0.1", "localhost"])
    store = folder / "server.pem"
    store.write_bytes((folder / "server.key").read_bytes() + (folder / "server.crt").read_bytes())
    servers = zookeeper.servers_of(lab)
    _stop(lab, servers)
    for server in servers:
        _configure_server(lab, server, store, folder / "ca.crt")
        zookeeper.start(lab, server)
    zookeeper.note(lab, servers)
    wait_until(lambda: _modes(servers) == ["follower", "follower", "leader"], "the ensemble with TLS", within=_WITHIN)
    for broker in lab.brokers:
        of_broker = {
            "zookeeper.ssl.client.enable": "true",
            "zookeeper.clientCnxnSocket": "org.apache.zookeeper.ClientCnxnSocketNetty",
            "zookeeper.ssl.truststore.type": "PEM",
            "zookeeper.ssl.truststore.location": folder / "ca.crt",
            "zookeeper.set.acl": "false" if broker.number == CARELESS else "true",
        }
        write_configuration(lab, broker)
        with properties_file(lab, broker).open("a") as out:
            out.writelines(f"{name}={value}\n" for name, value in of_broker.items())
        brokers.start(lab, broker)
    wait_for_brokers(lab)
    return folder / "ca.crt"


def _configure_server(lab: LabState, server: zookeeper.LabZooKeeper, store: Path, authority: Path) -> None:
    file = Path(lab.folder, "config", f"zookeeper-{server.number}.properties")
    kept = [line for line in file.read_text("utf-8").splitlines() if not line.startswith("clientPort")]
    settings = {
        "secureClientPort": server.port,
        "secureClientPortAddress": "127.0.0.1",
        "serverCnxnFactory": "org.apache.zookeeper.server.NettyServerCnxnFactory",
        "ssl.keyStore.type": "PEM",
        "ssl.keyStore.location": store,
        "ssl.trustStore.type": "PEM",
        "ssl.trustStore.location": authority,
        "ssl.clientAuth": "none",
    }
    file.write_text("\n".join([*kept, *(f"{name}={value}" for name, value in settings.items())]) + "\n")


def restore(lab: LabState, authority: Path) -> None:
    """Restart all as the lab began."""
    servers = zookeeper.servers_of(lab)
    _stop(lab, servers, use_ssl=True, ca=str(authority))
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


def encrypted(lab: LabState, authority: Path) -> Mapping[str, bool]:
    """What shows that all of it speaks TLS, and that what the careless broker wrote is open to everybody."""
    servers = zookeeper.servers_of(lab)
    claims = {
        f"{server.name} shows a certificate of the authority": _handshake(server.port, authority) for server in servers
    }
    claims |= {f"{server.name} answers nothing without TLS": answer_to(server, "srvr") == "" for server in servers}
    with _session(lab, servers, use_ssl=True, ca=str(authority)) as client:
        open_to_all = {
            broker.number: client.get_acls(f"{zookeeper.chroot(lab)}/brokers/ids/{broker.number}")[0] == OPEN_ACL_UNSAFE
            for broker in lab.brokers
        }
    claims["every broker has joined, and one has left its node to everybody"] = open_to_all == {
        broker.number: broker.number == CARELESS for broker in lab.brokers
    }
    return claims


def _handshake(port: int, authority: Path) -> bool:
    context = ssl.create_default_context(cafile=str(authority))
    try:
        with socket.create_connection(("127.0.0.1", port), _PATIENCE) as talk:
            context.wrap_socket(talk, server_hostname="127.0.0.1").close()
    except OSError:
        return False
    return True


def _modes(servers: list[zookeeper.LabZooKeeper]) -> list[str]:
    """Who leads and who follows, by their admin servers, which speak HTTP in any case."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    found = []
    for server in servers:
        try:
            with opener.open(f"http://127.0.0.1:{server.admin_port}/commands/leader", timeout=_PATIENCE) as answer:
                leads = json.load(answer).get("is_leader")
        except OSError:
            leads = None
        found.append({True: "leader", False: "follower", None: ""}[leads])
    return sorted(found)


def _stop(lab: LabState, servers: list[zookeeper.LabZooKeeper], **tls: Any) -> None:
    """Kill the brokers, forget that they were there, which takes their sessions' time else, and stop the servers."""
    for broker in lab.brokers:
        processes.terminate(broker.process, patience=0)
    with _session(lab, servers, **tls) as client:
        gone = [f"/brokers/ids/{broker.number}" for broker in lab.brokers]
        for path in (zookeeper.chroot(lab) + node for node in (*gone, "/controller")):
            if client.exists(path):
                client.delete(path)
    for server in servers:
        processes.terminate(server.process, patience=8)


@contextmanager
def _session(lab: LabState, servers: list[zookeeper.LabZooKeeper], **tls: Any) -> Iterator[Any]:
    """A session of the lab's own user, whom no ACL binds.

    Raises:
        LabError: no server took it, or a node was not there.
    """
    from kazoo.exceptions import KazooException
    from kazoo.handlers.threading import KazooTimeoutError

    client = KazooClient(",".join(server.address for server in servers), timeout=_PATIENCE, **tls)
    try:
        client.start(timeout=_PATIENCE)
        client.add_auth("digest", f"{SUPER}:{super_password(lab)}")
        yield client
    except (KazooException, KazooTimeoutError) as error:
        raise LabError(f"The ensemble of lab {lab.name} did not do as asked: {error!r}") from error
    finally:
        client.stop()
        client.close()

"""Whom Kafka's nodes in ZooKeeper let do what: asked in a session of our own, without a login, as a stranger would.

A session is noted by the ensemble and ended when the answers are there; no node is made, and no contents are read.
"""

import logging
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from runbook.answers.zookeeper import NODES, AclEntry, Znode
from runbook.connections.zookeeper.settings import ReachedServer
from runbook.formats.addresses import host_port
from runbook.model.errors import CannotLook, Denied, Garbled, Misconfigured, NotServing, TimedOut

_RIGHTS: Final = {1: "read", 2: "write", 4: "create", 8: "delete", 16: "admin"}  # org.apache.zookeeper.ZooDefs.Perms
_LOG = "runbook.zookeeper"
_UNSIGNED: Final = 2**64 - 1  # servers show ids of sessions without a sign


def read_nodes(
    servers: Sequence[ReachedServer], settings: Mapping[str, Any], patience: float, note: Callable[[int], None]
) -> list[Znode]:
    """Ask for the ACLs of Kafka's nodes, of whichever server takes us.

    Args:
        servers: to choose from.
        settings: `chroot`; `ca` and so on where TLS is spoken.
        patience: seconds for the session, and for each answer.
        note: is told the id of our session.

    Raises:
        CannotLook: no server took us in the given seconds, or the answers are none of ZooKeeper's.
    """
    try:
        from kazoo.exceptions import KazooException
        from kazoo.handlers.threading import KazooTimeoutError
    except ImportError as error:
        from runbook.plugins.extras import install

        raise Misconfigured(
            f"ACLs in ZooKeeper are read with kazoo, which is not installed: {install('zookeeper')}"
        ) from error

    root = str(settings.get("chroot", "")).rstrip("/")
    client = session(servers, settings, patience)
    named = ", ".join(host_port(server.place.host, server.place.port) for server in servers)
    try:
        client.start(timeout=patience)
        note(client.client_id[0] & _UNSIGNED)
        asked = [(path, client.get_acls_async(root + path)) for path in NODES]
        return [_node(path, answer, patience) for path, answer in asked]
    except KazooTimeoutError:
        raise TimedOut(f"ZooKeeper opened no session for us at {named} in {patience:.1f} s", patience) from None
    except KazooException as error:
        raise _explained(error, named) from None
    finally:
        client.stop()
        client.close()


def session(servers: Sequence[ReachedServer], settings: Mapping[str, Any], patience: float) -> Any:
    """A client that is not connected yet."""
    from kazoo.client import KazooClient

    tls = {
        "use_ssl": True,
        "ca": settings.get("ca"),
        "certfile": settings.get("certificate"),
        "keyfile": settings.get("key"),
        "check_hostname": True,
    }
    return KazooClient(
        hosts=",".join(host_port(server.place.host, server.place.port) for server in servers),
        timeout=max(patience, 1.0),
        read_only=True,
        logger=_silent(),
        **(tls if settings.get("ca") else {}),
    )


def _node(path: str, answer: Any, patience: float) -> Znode:
    from kazoo.exceptions import NoAuthError, NoNodeError

    try:
        acls, _ = answer.get(timeout=patience)
    except NoNodeError:
        return Znode(path, exists=False, entries=())
    except NoAuthError:
        return Znode(path, exists=True, entries=None)
    return Znode(path, exists=True, entries=tuple(_entry(acl) for acl in acls))


def _entry(acl: Any) -> AclEntry:
    who = str(acl.id.id)
    # A digest's id is user:hash; the hash is a credential to guess at.
    shown = who.partition(":")[0] if acl.id.scheme == "digest" else who
    return AclEntry(str(acl.id.scheme), shown, tuple(name for bit, name in _RIGHTS.items() if acl.perms & bit))


def _explained(error: Exception, where: str) -> CannotLook:
    from kazoo.exceptions import AuthFailedError, ConnectionLoss, NoAuthError, SessionExpiredError

    if isinstance(error, NoAuthError | AuthFailedError):
        return Denied(f"ZooKeeper at {where} refuses a session without a login")
    if isinstance(error, ConnectionLoss | SessionExpiredError):
        return NotServing(f"ZooKeeper at {where} ended our session before it had answered")
    return Garbled(f"ZooKeeper at {where} did not answer as it should: {type(error).__name__}")


def _silent() -> logging.Logger:
    """Keep what kazoo logs off the terminal: its errors come to the user as reasons."""
    log = logging.getLogger(_LOG)
    if not log.handlers:
        log.addHandler(logging.NullHandler())
        log.propagate = False
    return log

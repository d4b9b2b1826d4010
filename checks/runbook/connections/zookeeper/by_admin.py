"""What commands of the admin server answer, read."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import msgspec

from runbook.answers.zookeeper import CLIENTS, CONFIGURATION, MONITOR, STATE, ServerQuestion
from runbook.connections.zookeeper.by_word import NOT_SERVING, SessionEnds
from runbook.formats.addresses import split
from runbook.formats.zookeeper import Client, Configuration, EnsembleMember, ServerState
from runbook.model.errors import Garbled
from runbook.model.quantity import Milliseconds

Document = dict[str, Any]
_SAYS = 120


def document(body: bytes) -> Document:
    """One answer, decoded.

    Raises:
        Garbled: it is not of the admin server.
    """
    try:
        decoded = msgspec.json.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Garbled("did not answer as ZooKeeper's admin server does: it is no JSON") from error
    if not isinstance(decoded, dict) or "command" not in decoded:
        raise Garbled("did not answer as ZooKeeper's admin server does")
    return decoded


def state(documents: Sequence[Document]) -> ServerState:
    """Read `server_stats`."""
    [one] = documents
    if _is_idle(one):
        return ServerState("")
    stats = _part(one, "server_stats")
    return ServerState(
        mode=str(_of(stats, "server_state", str)),
        version=str(one.get("version", "")).partition("-")[0] or None,
        min_latency=_ms(stats, "min_latency"),
        avg_latency=float(_of(stats, "avg_latency", int, float)),
        max_latency=_ms(stats, "max_latency"),
        received=_number(stats, "packets_received"),
        connections=_number(stats, "num_alive_client_connections"),
        outstanding=_number(stats, "outstanding_requests"),
        znodes=_number(one, "node_count"),
    )


def monitor(documents: Sequence[Document]) -> Document:
    """Read `monitor`."""
    [one] = documents
    _require_serving(one)
    if "server_state" not in one:
        raise Garbled("reported no server_state among its metrics")
    return one


def configuration(documents: Sequence[Document]) -> Configuration:
    """Read `configuration` and `voting_view`; neither tells groups, weights, limits and the encrypted port."""
    own, view = documents
    _require_serving(own)
    port = _number(own, "client_port")
    members = view.get("current_config") or {}
    if not isinstance(members, dict):
        raise Garbled("reported its members in another form than ZooKeeper's admin server")
    return Configuration(
        number=_number(own, "server_id"),
        tick_time=_number(own, "tick_time"),
        init_limit=_number(own, "init_limit"),
        sync_limit=_number(own, "sync_limit"),
        min_session_timeout=_number(own, "min_session_timeout"),
        max_session_timeout=_number(own, "max_session_timeout"),
        max_client_connections=_number(own, "max_client_cnxns"),
        members=tuple(_member(number, member) for number, member in members.items()),
        client_port=None if port is None else max(port, 0),
    )


def _member(number: str, member: Any) -> EnsembleMember:
    try:
        host, peer = split(member["server_addresses"][0])
        _, election = split(member["election_addresses"][0])
        role, client = str(member["learner_type"]), str(member.get("client_address") or "")
        return EnsembleMember(int(number), host, peer, election, role, client, None, None)
    except (TypeError, KeyError, IndexError, ValueError, AttributeError) as error:
        raise Garbled(f"reported member {number[:_SAYS]} as ZooKeeper's admin server does not") from error


def clients(documents: Sequence[Document]) -> list[Client]:
    """Read `connections`, the encrypted ones too.

    Raises:
        SessionEnds: one with a session ended while it was listed; those without one are left out then.
        Garbled: it is no answer of the admin server.
    """
    [one] = documents
    _require_serving(one)
    found = []
    for part in ("connections", "secure_connections"):
        listed = one.get(part, [])
        if not isinstance(listed, list):
            raise Garbled("reported its connections in another form than ZooKeeper's admin server")
        found += [client for connection in listed if (client := _client(connection))]
    return found


def _client(connection: Any) -> Client | None:
    try:
        if connection["remote_socket_address"] is None:  # it ended while it was listed
            if connection.get("session_id"):
                raise SessionEnds
            return None
        host, port = split(str(connection["remote_socket_address"]).rpartition("/")[2])
        # not made up: 0 is ZooKeeper's own: a connection without a session, which is no client
        return Client(host, port, int(connection.get("session_id") or 0), connection.get("session_timeout"))
    except (TypeError, KeyError, ValueError, AttributeError) as error:
        raise Garbled("reported a connection in another form than ZooKeeper's admin server") from error


READERS: Final[Mapping[ServerQuestion, Callable[[Sequence[Document]], Any]]] = {
    STATE: state,
    MONITOR: monitor,
    CONFIGURATION: configuration,
    CLIENTS: clients,
}


def _is_idle(answer: Document) -> bool:
    return NOT_SERVING in str(answer.get("error") or "")


def _require_serving(answer: Document) -> None:
    if _is_idle(answer):
        raise Garbled("serves no clients: its ensemble has no majority, or it is starting")
    if answer.get("error"):
        raise Garbled(f"refused the command: {str(answer['error'])[:_SAYS]}")


def _part(answer: Document, name: str) -> Document:
    _require_serving(answer)
    return dict(_of(answer, name, dict))


def _of(answer: Document, name: str, *kinds: type) -> Any:
    value = answer.get(name)
    if not isinstance(value, kinds):
        raise Garbled(f"reported no {name}, or not as ZooKeeper's admin server does")
    return value


def _ms(part: Document, name: str) -> Milliseconds | None:
    value = _number(part, name)
    return None if value is None else Milliseconds(value)


def _number(answer: Document, name: str) -> int | None:
    value = answer.get(name)
    return int(value) if isinstance(value, (int, float)) else None

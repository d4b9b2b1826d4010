"""What four-letter words answer, read."""

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from runbook.answers.zookeeper import CLIENTS, CONFIGURATION, MONITOR, STATE, ServerQuestion
from runbook.formats.zookeeper import Client, Configuration, EnsembleMember, ServerState
from runbook.model.errors import Garbled
from runbook.model.quantity import Milliseconds

NOT_SERVING: Final = "not currently serving requests"
_LATENCY = re.compile(r"(\d{1,18})/(\d{1,18}(?:\.\d{1,18})?)/(\d{1,18})")
_MEMBER = re.compile(
    r"(?P<host>\[[^\]]+\]|[^:;|]+):(?P<peer>\d{1,5}):(?P<election>\d{1,5})(?!\d)(?::(?P<role>\w+))?(?:;(?P<client>.+))?"
)
_ENDED = re.compile(r"\s*null\[\w+\]\((?P<rest>.*)\)\s*")
_CLIENT = re.compile(r"\s*/(?P<host>.+):(?P<port>\d{1,5})\[\d+\]\((?P<rest>.*)\)\s*")
_SESSION = re.compile(r"0x[0-9a-f]{1,16}")
_SAYS = 60  # characters of an unexpected answer that a sentence quotes


def state(text: str) -> ServerState:
    """Read `srvr`."""
    if NOT_SERVING in text:
        return ServerState("")
    values = _pairs(text, ":")
    latency = _LATENCY.fullmatch(values.get("Latency min/avg/max", ""))
    if not values.get("Mode") or latency is None:
        raise _strange("srvr", text)
    return ServerState(
        mode=values["Mode"].split()[0],
        version=values.get("Zookeeper version", "").partition("-")[0] or None,
        min_latency=Milliseconds(int(latency[1])),
        avg_latency=float(latency[2]),
        max_latency=Milliseconds(int(latency[3])),
        received=_number(values, "Received"),
        connections=_number(values, "Connections"),
        outstanding=_number(values, "Outstanding"),
        znodes=_number(values, "Node count"),
    )


def monitor(text: str) -> dict[str, Any]:
    """Read `mntr`: lines of name, tab, value."""
    if NOT_SERVING in text:
        raise Garbled("serves no clients, so it measures nothing: its ensemble has no majority, or it is starting")
    metrics = _pairs(text, "\t")
    if "zk_server_state" not in metrics:
        raise _strange("mntr", text)
    return {name.removeprefix("zk_"): value for name, value in metrics.items()}


def configuration(text: str) -> Configuration:
    """Read `conf`: the server's settings, then the members of its ensemble."""
    if NOT_SERVING in text:
        raise Garbled("serves no clients, so it does not report its configuration: its ensemble has no majority")
    settings = _pairs(text, "=")
    if "tickTime" not in settings:
        raise _strange("conf", text)
    return Configuration(
        number=_number(settings, "serverId"),
        tick_time=_number(settings, "tickTime"),
        init_limit=_number(settings, "initLimit"),
        sync_limit=_number(settings, "syncLimit"),
        min_session_timeout=_number(settings, "minSessionTimeout"),
        max_session_timeout=_number(settings, "maxSessionTimeout"),
        max_client_connections=_number(settings, "maxClientCnxns"),
        members=_members(settings),
        client_port=_port(settings, "clientPort"),
        secure_client_port=_port(settings, "secureClientPort"),
    )


def _port(settings: Mapping[str, str], name: str) -> int | None:
    """A port that is open; 0 for none, which servers tell as -1."""
    port = _number(settings, name)
    return None if port is None else max(port, 0)


def _members(settings: Mapping[str, str]) -> tuple[EnsembleMember, ...]:
    try:
        groups = {
            int(number): int(name.partition(".")[2])
            for name, numbers in settings.items()
            if name.startswith("group.")
            for number in numbers.split(":")
        }
        weights = {int(name[7:]): int(value) for name, value in settings.items() if name.startswith("weight.")}
    except ValueError:
        raise Garbled("reported groups or weights of members in another form than ZooKeeper's") from None
    found = []
    for name, value in settings.items():
        if not re.fullmatch(r"server\.\d{1,18}", name):
            continue
        match = _MEMBER.match(value)
        if match is None:
            raise Garbled(f"reported a member in another form than ZooKeeper's: {name}={value[:_SAYS]}")
        number = int(name[7:])
        found.append(
            EnsembleMember(
                number=number,
                host=match["host"].strip("[]"),
                peer_port=int(match["peer"]),
                election_port=int(match["election"]),
                role=match["role"] or "participant",
                client_address=match["client"] or "",
                # not made up: 0 is no group: the configuration is there, and names none for this server
                group=groups.get(number, 0),
                weight=weights.get(number, 1),
            )
        )
    return tuple(found)


class SessionEnds(Garbled):
    """A server told of a session whose connection ended just then, and so not from where that was."""

    def __init__(self) -> None:
        super().__init__("reported a session whose connection ended at that moment: its client is unknown")


def clients(text: str) -> list[Client]:
    """Read `cons`: a line for each connection, that of the question included.

    A connection that ends while it is listed has no address any more (ZooKeeper's `NIOServerCnxn`). Where it had no
    session, as that of another question, nobody is missed.

    Raises:
        SessionEnds: it had one.
        Garbled: it is no answer of ZooKeeper.
    """
    if NOT_SERVING in text:
        raise Garbled("serves no clients, so there are none to report: its ensemble has no majority")
    found = []
    for line in filter(str.strip, text.splitlines()):
        if ended := _ENDED.fullmatch(line):
            if "sid=" in ended["rest"]:
                raise SessionEnds
            continue
        one = _CLIENT.fullmatch(line)
        if one is None:
            raise _strange("cons", line)
        rest = dict(pair.partition("=")[::2] for pair in one["rest"].split(","))
        session = rest.get("sid", "0x0")
        if _SESSION.fullmatch(session) is None:
            raise _strange("cons", line)
        found.append(
            Client(
                one["host"].strip("[]"),
                int(one["port"]),
                int(session, 16),
                _number(rest, "to") if "to" in rest else None,
            )
        )
    return found


READERS: Final[Mapping[ServerQuestion, Callable[[str], Any]]] = {
    STATE: state,
    MONITOR: monitor,
    CONFIGURATION: configuration,
    CLIENTS: clients,
}


def _pairs(text: str, separator: str) -> dict[str, str]:
    parted = (line.partition(separator) for line in text.splitlines())
    return {name.strip(): value.strip() for name, found, value in parted if found}


def _number(values: Mapping[str, str], name: str) -> int | None:
    value = values.get(name, "")
    return int(value) if re.fullmatch(r"-?\d{1,18}", value) else None


def _strange(word: str, text: str) -> Garbled:
    return Garbled(f"answered {word} as ZooKeeper does not: {' '.join(text.split())[:_SAYS]!r}")

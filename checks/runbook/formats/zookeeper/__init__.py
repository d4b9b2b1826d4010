"""What ZooKeeper servers tell of themselves, the same whether by four-letter words or by the admin server."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

from msgspec import Struct

from runbook.model.fact import Gap
from runbook.model.quantity import Milliseconds

LEADER, FOLLOWER, OBSERVER, STANDALONE = "leader", "follower", "observer", "standalone"
PARTICIPANT = "participant"


class ServerState(Struct, frozen=True):
    """How a server is. What a server that serves nobody does not tell is None.

    Attributes:
        mode: leader, follower, observer or standalone; "" while it serves nobody.
        version: of ZooKeeper.
        min_latency: shortest request since the server started, milliseconds; the next two likewise.
        received: requests since then.
        connections: of clients, this question's included where it is a four-letter word.
        outstanding: requests that wait.
        znodes: how many there are.
    """

    mode: str
    version: str | None = None
    min_latency: Milliseconds | None = None
    avg_latency: float | None = None
    max_latency: Milliseconds | None = None
    received: int | None = None
    connections: int | None = None
    outstanding: int | None = None
    znodes: int | None = None


class EnsembleMember(Struct, frozen=True):
    """A server as the configuration names it: its id, where its peers reach it, and what it counts for.

    `group` and `weight` are None where the way of asking does not tell them; group 0 is none, 1 the usual weight.
    """

    number: int
    host: str
    peer_port: int
    election_port: int
    role: str
    client_address: str = ""
    group: int | None = 0
    weight: int | None = 1


class Configuration(Struct, frozen=True):
    """A server's own settings, and the members that it knows; a server that stands alone knows none.

    `client_port` and `secure_client_port` are 0 where it has none, None where the way of asking does not tell.
    """

    number: int | None
    tick_time: int | None
    init_limit: int | None
    sync_limit: int | None
    min_session_timeout: int | None
    max_session_timeout: int | None
    max_client_connections: int | None
    members: tuple[EnsembleMember, ...] = ()
    client_port: int | None = None
    secure_client_port: int | None = None


class Client(Struct, frozen=True):
    """A connection that a server has: from where, and the session on it; 0 for none, as of a four-letter word."""

    host: str
    port: int
    session: int
    timeout: int | None


Answers = tuple[Mapping[str, Any], Sequence[Gap]]
"""By name of the server in the inventory: what it told; and a gap for each that did not."""


class ServerAddress(Struct, frozen=True):
    """What the inventory says of a server: name, host and port for clients, and where it stands, "" for not said."""

    name: str
    host: str
    port: int
    rack: str = ""
    machine: str = ""


class Ensemble(Protocol):
    """A connection to ZooKeeper, as probes see it."""

    def places(self) -> Sequence[ServerAddress]:
        """The servers that the inventory names."""

    def states(self) -> Answers:
        """How each is, a State."""

    def monitors(self) -> Answers:
        """What each measures: name, without zk_, -> text or number."""

    def configurations(self) -> Answers:
        """How each is configured, a Configuration."""

    def clients(self) -> Answers:
        """Who is connected to each, a list of Client."""

    def overview(self) -> tuple[Answers, Answers, Answers]:
        """The first three of these, asked at the same time."""


def is_quorum(present: Iterable[int], members: Iterable[EnsembleMember]) -> bool:
    """Whether these servers can decide: by plain majority, or by groups and weights where there are groups.

    With groups, more than half of the groups that have any weight must have more than half of their weight there.
    """
    voters = [member for member in members if member.role == PARTICIPANT]
    here = set(present)
    weights: dict[int, list[int]] = {}
    for voter in voters:
        # not made up: all who ask for a quorum have seen to it before that groups are known, or that there are none
        all_, there = weights.setdefault(voter.group or 0, [0, 0])
        weight = 1 if voter.weight is None else voter.weight
        # not made up: all who ask for a quorum have seen to it before that groups are known, or that there are none
        weights[voter.group or 0] = [all_ + weight, there + (weight if voter.number in here else 0)]
    counted = [(all_, there) for all_, there in weights.values() if all_ > 0]
    won = sum(2 * there > all_ for all_, there in counted)
    return bool(counted) and 2 * won > len(counted)

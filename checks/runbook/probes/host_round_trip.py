"""How far hosts are from each other: round-trips as the kernel measures them on connections that are open anyway."""

from collections import defaultdict
from typing import TYPE_CHECKING, Annotated

from runbook.answers.ssh.commands import ROUND_TRIPS
from runbook.formats.socket_statistics import Connection, read_connections
from runbook.model.errors import Garbled
from runbook.model.fact import Observed
from runbook.model.probe import Probe
from runbook.model.quantity import BrokerId, MillisecondsExact
from runbook.model.row import Cell, Row

if TYPE_CHECKING:
    from runbook.connections.ssh import Host, Hosts


class HostRoundTrip(Row):
    """A host, and another that it is connected to."""

    host: Annotated[str, Cell("Name in the inventory.", key=True, entity="host")]
    peer: Annotated[str, Cell("The other's name in the inventory.", key=True)]
    brokers: Annotated[list[BrokerId], Cell("Node ids that the inventory says run on the host.")]
    peer_brokers: Annotated[list[int], Cell("Those on the other host.")]
    connections: Annotated[int, Cell("Open connections between the two.", unit="connections", moves=True)]
    least_ms: Annotated[MillisecondsExact, Cell("Least round-trip of the last five minutes on any of them.")]
    smoothed_ms: Annotated[
        MillisecondsExact,
        Cell("Median of their smoothed round-trips, in which waiting for an acknowledgement counts too."),
    ]


PROBE = Probe(
    connections=("ssh",),
    help="One row per host and other host of the inventory with open TCP connections between them; nothing is sent.",
    row=HostRoundTrip,
    requests=(ROUND_TRIPS.shown(),),
    rights=("log in over SSH as any user", "iproute2 on the host"),
)


def observe(hosts: "Hosts") -> Observed:
    """Observe the connections of every host that answers; addresses of others than these hosts are not kept."""
    by_host, gaps = hosts.each(lambda host: (host, _connections(host)))
    at: dict[str, set[str]] = defaultdict(set)
    for name, (_, connections) in by_host.items():
        for connection in connections:
            at[connection.local].add(name)
    rows = []
    for name, (host, connections) in by_host.items():
        between: dict[str, list[Connection]] = defaultdict(list)
        for connection in connections:
            for peer in at.get(connection.peer, set()) - {name}:
                between[peer].append(connection)
        for peer, found in sorted(between.items()):
            rows.append(_row(host, by_host[peer][0], found))
    return Observed(rows=rows, gaps=gaps)


def _connections(host: "Host") -> list[Connection]:
    try:
        return [*read_connections(host.run(ROUND_TRIPS))]
    except ValueError:
        raise Garbled(f"{host.label} listed its connections in a way that can't be understood") from None


def _row(host: "Host", peer: "Host", found: list[Connection]) -> HostRoundTrip:
    smoothed = sorted(connection.smoothed for connection in found)
    return HostRoundTrip(
        host=host.name,
        peer=peer.name,
        brokers=list(host.brokers),
        peer_brokers=list(peer.brokers),
        connections=len(found),
        least_ms=min(connection.least for connection in found),
        smoothed_ms=smoothed[len(smoothed) // 2],
    )

"""How far hosts are from each other: round-trips as the kernel measures them on connections that are open anyway."""

from collections import defaultdict

from runbook.connections.ssh import Host, Hosts
from runbook.connections.ssh.commands import ROUND_TRIPS
from runbook.engine.column import Column
from runbook.engine.errors import Garbled
from runbook.engine.fact import Observed
from runbook.engine.probe import Probe
from runbook.formats.socket_statistics import Connection, read_connections

PROBE = Probe(
    connections=("ssh",),
    help="One row per host and other host of the inventory with open TCP connections between them; nothing is sent.",
    columns=(
        Column("host", "string", "Name in the inventory.", key=True, entity="host"),
        Column("peer", "string", "The other's name in the inventory.", key=True),
        Column("brokers", "list[int]", "Node ids that the inventory says run on the host.", entity="broker"),
        Column("peer_brokers", "list[int]", "Those on the other host."),
        Column("connections", "int", "Open connections between the two.", unit="connections"),
        Column("least_ms", "float", "Least round-trip of the last five minutes on any of them.", unit="ms"),
        Column(
            "smoothed_ms",
            "float",
            "Median of their smoothed round-trips, in which waiting for an acknowledgement counts too.",
            unit="ms",
        ),
    ),
    requests=(ROUND_TRIPS.shown(),),
    rights=("log in over SSH as any user", "iproute2 on the host"),
)


def observe(hosts: Hosts) -> Observed:
    """Observe the connections of every host that answers; addresses of others than these hosts are not kept."""
    told, gaps = hosts.each(lambda host: (host, _connections(host)))
    at: dict[str, set[str]] = defaultdict(set)
    for name, (_, connections) in told.items():
        for one in connections:
            at[one.local].add(name)
    rows = []
    for name, (host, connections) in told.items():
        between: dict[str, list[Connection]] = defaultdict(list)
        for one in connections:
            for peer in at.get(one.peer, set()) - {name}:
                between[peer].append(one)
        for peer, found in sorted(between.items()):
            rows.append(_row(host, told[peer][0], found))
    return Observed(rows=rows, gaps=gaps)


def _connections(host: Host) -> list[Connection]:
    try:
        return [*read_connections(host.run(ROUND_TRIPS))]
    except ValueError:
        raise Garbled(f"{host.label} listed its connections in a way that can't be understood") from None


def _row(host: Host, peer: Host, found: list[Connection]) -> tuple[object, ...]:
    smoothed = sorted(one.smoothed for one in found)
    return (
        host.name,
        peer.name,
        list(host.brokers),
        list(peer.brokers),
        len(found),
        min(one.least for one in found),
        smoothed[len(smoothed) // 2],
    )

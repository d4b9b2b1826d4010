"""Which sessions with ZooKeeper are of the Kafka cluster, and which are of somebody else."""

from runbook.engine.column import Column
from runbook.engine.fact import Fact, Observed
from runbook.engine.parameter import Parameter
from runbook.engine.view import View

VIEW = View(
    help="One row per address that has sessions with ZooKeeper.",
    columns=(
        Column("host", "string", "The client's address.", key=True),
        Column("sessions", "int", "Its sessions.", unit="sessions"),
        Column("brokers", "list[int]", "Brokers that advertise this address.", entity="broker"),
        Column(
            "kafka",
            "bool",
            "Whether it is a broker's, or one that `known` lists; not known where no client has a broker's address, as "
            "brokers may advertise names or other networks.",
        ),
    ),
    of=(("host",), ("broker", "host")),
    version=2,
    parameters={
        "known": Parameter(type="list[string]", help="addresses of this cluster's brokers and tools"),
    },
)


def compute(client: Fact, broker: Fact, /, *, known: list[str] | None = None) -> Observed:
    """Work it out from zookeeper_client and kafka_broker."""
    brokers: dict[str | None, list[int]] = {}
    for number, host in zip(broker.columns["broker"], broker.columns["host"], strict=True):
        brokers.setdefault(host, []).append(number)
    listed = set(known or ())
    hosts = client.columns["host"]
    told = bool(listed) or any(host in brokers for host in hosts)
    absent = None if None in brokers or not told else False
    rows = [
        (
            host,
            hosts.count(host),
            None if None in brokers else brokers.get(host, []),
            True if host in brokers or host in listed else absent,
        )
        for host in dict.fromkeys(hosts)
    ]
    return Observed(rows=rows)

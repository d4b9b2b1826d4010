"""Which sessions with ZooKeeper are of the Kafka cluster, and which are of somebody else."""

from typing import Annotated

from runbook.model.fact import Fact, Observed
from runbook.model.parameter import Parameter
from runbook.model.quantity import BrokerId
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View


class ZookeeperUse(Row):
    """An address that has sessions with ZooKeeper."""

    host: Annotated[str, Cell("The client's address.", key=True)]
    sessions: Annotated[int, Cell("Its sessions.", unit="sessions")]
    brokers: Annotated[list[BrokerId] | None, Cell("Brokers that advertise this address.")]
    kafka: Annotated[
        bool | None,
        Cell(
            "Whether it is a broker's, or one that `known` lists; not known where no client has a broker's address, as "
            "brokers may advertise names or other networks."
        ),
    ]


VIEW = View(
    help="One row per address that has sessions with ZooKeeper.",
    row=ZookeeperUse,
    inputs={
        "client": Input("zookeeper_client", columns=("host",)),
        "broker": Input("kafka_broker", columns=("broker", "host")),
    },
    version=2,
    parameters={
        "known": Parameter(type="list[string]", help="addresses of this cluster's brokers and tools"),
    },
)


def compute(*, client: Fact, broker: Fact, known: list[str] | None = None) -> Observed:
    """Work it out from zookeeper_client and kafka_broker."""
    brokers: dict[str | None, list[BrokerId]] = {}
    for number, host in zip(broker.columns["broker"], broker.columns["host"], strict=True):
        brokers.setdefault(host, []).append(number)
    listed = set(known or ())
    hosts = client.columns["host"]
    decided = bool(listed) or any(host in brokers for host in hosts)
    absent = None if None in brokers or not decided else False
    rows = [
        ZookeeperUse(
            host=host,
            sessions=hosts.count(host),
            brokers=None if None in brokers else brokers.get(host, []),
            kafka=True if host in brokers or host in listed else absent,
        )
        for host in dict.fromkeys(hosts)
    ]
    return Observed(rows=rows)

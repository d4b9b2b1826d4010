"""How each broker connects to ZooKeeper, as its settings tell it.

ZooKeeper's client encrypts by its Netty socket only: ClientCnxnSocketNIO, its default, ignores that it should
(org.apache.zookeeper.ZooKeeper.getClientCnxnSocket). Then a broker with zookeeper.ssl.client.enable=true speaks plain
text to a plain port, without a word: seen with Kafka 3.9.1.
"""

from typing import Annotated, Final

from runbook.model.fact import Fact, Observed
from runbook.model.quantity import BrokerId
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View

_ENABLE: Final = "zookeeper.ssl.client.enable"
_SOCKET: Final = "zookeeper.clientCnxnSocket"


class ZookeeperChannel(Row):
    """A broker."""

    broker: Annotated[BrokerId, Cell("Node id.", key=True)]
    enabled: Annotated[bool | None, Cell("zookeeper.ssl.client.enable.")]
    socket: Annotated[str | None, Cell("zookeeper.clientCnxnSocket; empty for ZooKeeper's default, which is NIO's.")]
    encrypted: Annotated[bool | None, Cell("Whether both make it TLS.")]


VIEW = View(
    help="One row per broker that reports its settings: how it connects to ZooKeeper.",
    row=ZookeeperChannel,
    inputs={"setting": Input("kafka_broker_setting", columns=("broker", "setting", "value"))},
)


def compute(*, setting: Fact) -> Observed:
    """Work it out from kafka_broker_setting. A release that lists neither setting has no TLS (Kafka before 2.5)."""
    told = {(row["broker"], row["setting"]): row["value"] for row in setting.rows("broker", "setting", "value")}
    brokers = dict.fromkeys(broker for broker, _ in told)
    return Observed(
        [_row(broker, told.get((broker, _ENABLE), "false"), told.get((broker, _SOCKET), "")) for broker in brokers]
    )


def _row(broker: BrokerId, value: str | None, socket: str | None) -> ZookeeperChannel:
    enabled = None if value is None else value == "true"
    netty = None if socket is None else socket.endswith("ClientCnxnSocketNetty")
    encrypted = False if False in (enabled, netty) else None if None in (enabled, netty) else True
    return ZookeeperChannel(broker=broker, enabled=enabled, socket=socket, encrypted=encrypted)

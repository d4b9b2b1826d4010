"""The listener over which each broker replicates, and whether clients use it too."""

from typing import Annotated

from runbook.model.fact import Fact, Observed
from runbook.model.quantity import BrokerId
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View
from runbook.views._broker_settings import by_broker


class InterBrokerListener(Row):
    """A broker."""

    broker: Annotated[BrokerId, Cell("Node id.", key=True)]
    listener: Annotated[str | None, Cell("Name of the listener that brokers use among themselves.", entity="listener")]
    address: Annotated[str | None, Cell("Advertised host of it; empty where none is.")]
    others: Annotated[list[str] | None, Cell("Listeners that are left for clients.", entity="listener")]


VIEW = View(
    help="One row per broker.",
    row=InterBrokerListener,
    inputs={
        "setting": Input("kafka_broker_setting", columns=("broker", "setting", "value")),
    },
)


def compute(*, setting: Fact) -> Observed:
    """Work it out from kafka_broker_setting; where a setting is hidden the cells that depend on it are None."""
    return Observed(rows=[_row(broker, settings) for broker, settings in sorted(by_broker(setting).items())])


def _row(broker: BrokerId, settings: dict[str, str | None]) -> InterBrokerListener:
    name = settings.get("inter.broker.listener.name") or settings.get("security.inter.broker.protocol")
    # What a broker does not advertise by itself it advertises as it listens.
    advertised = settings.get("advertised.listeners") or settings.get("listeners")
    if not name or not advertised:
        return InterBrokerListener(broker=broker, listener=name or None, address=None, others=None)
    controllers = {part.strip() for part in (settings.get("controller.listener.names") or "").split(",")}
    hosts = {}
    for part in advertised.split(","):
        listener, _, address = part.strip().partition("://")
        if listener not in controllers:
            hosts[listener] = address.rpartition(":")[0]
    others = sorted(set(hosts) - {name})
    return InterBrokerListener(broker=broker, listener=name, address=hosts.get(name, ""), others=others)

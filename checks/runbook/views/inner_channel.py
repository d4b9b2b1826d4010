"""Over which listeners brokers and controllers speak among themselves, and in which protocol.

A broker whose controllers run apart has no listener of theirs, and comes to them as its settings say. In ZooKeeper mode
the controller may have a listener of its own at each broker (`control.plane.listener.name`).
"""

from collections.abc import Mapping
from typing import Annotated, Any, Final

from runbook.formats.addresses import host_port
from runbook.formats.listeners import Settings, controllers, to_controllers
from runbook.model.fact import Fact, Observed
from runbook.model.quantity import BrokerId
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View
from runbook.views._broker_settings import by_broker

_PLANE: Final = "control.plane.listener.name"


class InnerChannel(Row):
    """A broker, and a listener over which it speaks with other brokers or with controllers."""

    broker: Annotated[BrokerId, Cell("Node id.", key=True)]
    listener: Annotated[str, Cell("Its name; empty if that is hidden.", key=True, entity="listener")]
    protocol: Annotated[str | None, Cell("PLAINTEXT, SSL, SASL_PLAINTEXT or SASL_SSL; unknown if its map is hidden.")]
    address: Annotated[str | None, Cell("Where it is; of controllers that run apart all that the broker knows.")]


VIEW = View(
    help="One row per broker and listener over which it speaks with other brokers or with controllers.",
    row=InnerChannel,
    leaves_out="listeners that are for clients alone",
    inputs={
        "listener": Input(
            "kafka_listener",
            columns=("broker", "listener", "protocol", "host", "port", "between_brokers", "for_controllers"),
            needs=("between_brokers", "for_controllers"),
        ),
        "setting": Input("kafka_broker_setting", columns=("broker", "setting", "value")),
    },
)


def compute(*, listener: Fact, setting: Fact) -> Observed:
    """Work it out from kafka_listener, and from kafka_broker_setting where controllers run apart."""
    settings = by_broker(setting)
    rows = list(listener.rows())
    found = [
        InnerChannel(
            broker=row["broker"],
            listener=row["listener"],
            protocol=row["protocol"],
            address=None if None in (row["host"], row["port"]) else host_port(row["host"], row["port"]),
        )
        for row in rows
        if row["between_brokers"] or row["for_controllers"] or _is_plane(row, settings.get(row["broker"], {}))
    ]
    with_own = {row["broker"] for row in rows if row["for_controllers"]}
    apart = [_to_controllers(broker, told) for broker, told in sorted(settings.items()) if broker not in with_own]
    return Observed(rows=[*found, *filter(None, apart)])


def _is_plane(row: Mapping[str, Any], settings: Settings) -> bool:
    return bool(row["listener"] == (settings.get(_PLANE) or "").strip().upper())


def _to_controllers(broker: BrokerId, settings: Settings) -> InnerChannel | None:
    """How a broker comes to controllers that run apart; None where its settings name none."""
    channel = to_controllers(settings)
    if channel is None:
        return None
    name, protocol = channel
    address = ", ".join(host_port(host, port) for host, port in controllers(settings))
    return InnerChannel(broker=broker, listener=name, protocol=protocol, address=address)

"""A stretched cluster: four brokers in two data centres, two racks in each, as many copies of everything in both.

Three of the brokers are controllers, two of them in the first data centre: an odd number of
votes has no fair half. So the second one may be lost, and the loss of the first one takes the controllers with it.
"""

from typing import Any, Final

from kafka_lab.errors import LabError
from kafka_lab.state import LabBroker, LabState

HELP: Final = "four brokers in two data centres, three of them controllers, instead of three in three zones"

RACKS: Final = ("east-1", "west-1", "east-2", "west-2")
SITES: Final = ("east-*=east", "west-*=west")
PART: Final = "stretched"
_COPIES, _NEEDED = 4, 3  # of each partition, and in sync for a write: more than one data centre has
_VOTERS = 3


def require(lab: LabState) -> None:
    """Refuse a lab that stands in one place.

    Raises:
        LabError: it does.
    """
    if PART not in lab.parts:
        raise LabError(f"Lab {lab.name} stands in one place: {lab.anew_with(PART)}")


def broker_settings(lab: LabState, broker: LabBroker) -> dict[str, Any]:
    """Copies in both data centres, more needed than one has, and consumers that may read from the nearest."""
    settings: dict[str, Any] = {
        "default.replication.factor": _COPIES,
        "min.insync.replicas": _NEEDED,
        "replica.selector.class": "org.apache.kafka.common.replica.RackAwareReplicaSelector",
    }
    for topic in ("offsets.topic", "transaction.state.log", "share.coordinator.state.topic"):
        settings[f"{topic}.replication.factor"] = _COPIES
    for topic in ("transaction.state.log", "share.coordinator.state.topic"):
        settings[f"{topic}.min.isr"] = _NEEDED
    voters = ",".join(f"127.0.0.1:{broker.controller_port}" for broker in lab.brokers[:_VOTERS])
    settings["controller.quorum.bootstrap.servers"] = voters
    if broker.number > _VOTERS:
        settings |= {"process.roles": "broker", "listeners": f"PLAINTEXT://{broker.address}"}
    return settings


def environment(lab: LabState, state: dict[str, Any]) -> dict[str, Any]:
    """Which rack is where, and what was decided."""
    del lab, state
    return {
        "params": {
            "topologies/*": {"sites": [*SITES], "layout": "2", "data_centres": ["east", "west"]},
            "ha/min-insync-replicas-is-declared": {"declared": _NEEDED},
            "ha/brokers-agree": {"ignore": ["process.roles"]},
        }
    }

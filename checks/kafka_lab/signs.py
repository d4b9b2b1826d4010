"""What shows that a fault is in force, as the lab itself can tell: processes, ports, what brokers say of each other."""

import socket
from collections.abc import Set as AbstractSet
from typing import Final

from kafka_lab.admin import live_brokers
from kafka_lab.state import LabState

_HOST: Final = "127.0.0.1"
_PATIENCE: Final = 2.0


def losses(lab: LabState, numbers: AbstractSet[int]) -> dict[str, bool]:
    """What shows that brokers are lost: they have no process, their port refuses, and the cluster counts without them.

    Raises:
        LabError: No broker answered.
    """
    counted = live_brokers(lab)
    claims = {}
    for number in sorted(numbers):
        broker = lab.broker(number)
        claims[f"broker {number} has no process"] = broker.condition == "stopped"
        claims[f"the port of broker {number} refuses"] = refuses(broker.port)
        claims[f"the cluster has fenced broker {number}"] = number not in counted
    return claims


def refuses(port: int) -> bool:
    """Whether nobody listens on a port of this machine."""
    try:
        socket.create_connection((_HOST, port), _PATIENCE).close()
    except ConnectionRefusedError:
        return True
    except OSError:  # it did not answer in its time: somebody listens
        return False
    return False

"""Start, break and stop real systems on this machine: a Kafka cluster of three brokers in three racks."""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # loaded when they are named: the list of `runbook --help` imports this package, and needs none
    from kafka_lab.breaking import break_, heal
    from kafka_lab.cluster import BrokerStatus, LabStatus, down, labs, status, up
    from kafka_lab.errors import LabError
    from kafka_lab.inventory import running_inventory
    from kafka_lab.places import lab_home
    from kafka_lab.state import LabState

__all__ = [
    "BrokerStatus",
    "LabError",
    "LabState",
    "LabStatus",
    "break_",
    "down",
    "heal",
    "lab_home",
    "labs",
    "running_inventory",
    "status",
    "up",
]

_MODULES = {
    "BrokerStatus": "cluster",
    "LabError": "errors",
    "LabState": "state",
    "LabStatus": "cluster",
    "break_": "breaking",
    "down": "cluster",
    "heal": "breaking",
    "lab_home": "places",
    "labs": "cluster",
    "running_inventory": "inventory",
    "status": "cluster",
    "up": "cluster",
}


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"kafka_lab.{_MODULES[name]}"), name)

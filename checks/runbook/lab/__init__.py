"""Start, break and stop real systems on this machine: a Kafka cluster of three brokers in three racks."""

from runbook.lab.breaking import break_, heal
from runbook.lab.cluster import BrokerStatus, LabStatus, down, labs, status, up
from runbook.lab.errors import LabError
from runbook.lab.inventory import running_inventory
from runbook.lab.places import cache_home, lab_home
from runbook.lab.state import LabState

__all__ = [
    "BrokerStatus",
    "LabError",
    "LabState",
    "LabStatus",
    "break_",
    "cache_home",
    "down",
    "heal",
    "lab_home",
    "labs",
    "running_inventory",
    "status",
    "up",
]

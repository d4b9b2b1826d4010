"""Start, break and stop real systems on this machine: a Kafka cluster of three brokers in three racks."""

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

"""Lets the container of broker 2's pod end again and again (with kubernetes)."""

from kafka_lab.kubernetes.faults import in_lab

SEEN_IN = "kubernetes"

inject, heal, evident = in_lab("crash-loop")

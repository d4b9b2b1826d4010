"""Removes the disruption budget over the pods that stand for the brokers (with kubernetes)."""

from kafka_lab.kubernetes.faults import in_lab

SEEN_IN = "kubernetes"

inject, heal, evident = in_lab("no-budget")

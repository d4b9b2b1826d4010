"""Moves the nodes of all brokers' pods into one zone (with kubernetes)."""

from kafka_lab.kubernetes.faults import in_lab

SEEN_IN = "kubernetes"

inject, heal, evident = in_lab("one-zone")

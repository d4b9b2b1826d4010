"""Adds a broker's pod that keeps its data in a folder of its node (with kubernetes)."""

from kafka_lab.kubernetes.faults import in_lab

SEEN_IN = "kubernetes"

inject, heal, evident = in_lab("host-path")

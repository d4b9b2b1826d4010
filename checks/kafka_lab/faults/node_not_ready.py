"""Lets the node of broker 2's pod stop reporting (with kubernetes)."""

from kafka_lab.kubernetes.faults import in_lab

SEEN_IN = "kubernetes"

inject, heal, evident = in_lab("node-not-ready")

"""Lets the disruption budget give up all brokers at once (with kubernetes)."""

from kafka_lab.kubernetes.faults import in_lab

SEEN_IN = "kubernetes"

inject, heal, evident = in_lab("toothless-budget")

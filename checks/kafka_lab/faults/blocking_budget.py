"""Lets the disruption budget give up no broker at all (with kubernetes)."""

from kafka_lab.kubernetes.faults import in_lab

SEEN_IN = "kubernetes"

inject, heal, evident = in_lab("blocking-budget")

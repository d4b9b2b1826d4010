"""Puts the brokers' pods under a second disruption budget (with kubernetes)."""

from kafka_lab.kubernetes.faults import in_lab

SEEN_IN = "kubernetes"

inject, heal, evident = in_lab("second-budget")

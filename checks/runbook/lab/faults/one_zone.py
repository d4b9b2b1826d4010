"""Moves the nodes of all brokers' pods into one zone (with kubernetes)."""

from runbook.lab.kubernetes.faults import in_lab

inject, heal = in_lab("one-zone")

"""Adds a broker's pod that keeps its data in a folder of its node (with kubernetes)."""

from runbook.lab.kubernetes.faults import in_lab

inject, heal = in_lab("host-path")

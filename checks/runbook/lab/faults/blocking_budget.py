"""Lets the disruption budget give up no broker at all (with kubernetes)."""

from runbook.lab.kubernetes.faults import in_lab

inject, heal = in_lab("blocking-budget")

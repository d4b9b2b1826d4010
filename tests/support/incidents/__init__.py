"""Incidents that are played on a lab, and what the command says of them: see tests/benchmarks/incidents.py."""

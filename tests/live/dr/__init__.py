"""Disaster recovery between two real clusters."""

"""A schema registry: asked over HTTP, whose logins want TLS."""

from runbook.allowed._plain import remarks

__all__ = ["remarks"]

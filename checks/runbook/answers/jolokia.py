"""Jolokia agents: the one request that is sent to them."""

from typing import Final

READS: Final = ("POST {agent}/ with requests of type read",)
"""Everything a connection sends; `exec` and `write` are never sent."""

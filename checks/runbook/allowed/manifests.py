"""Manifests: where files are, and that they may come through a pipe."""

from typing import Final

PIPED: Final = "paths"
"""The setting in which `-` stands for what is piped in."""

"""Manifests: where files are, that they may come through a pipe, and which of them are left out."""

from typing import Final

from runbook.answers.manifests import ENDINGS

__all__ = ["ENDINGS", "LEFT_OUT", "PIPED"]

PIPED: Final = "paths"
"""The setting in which `-` stands for what is piped in."""
LEFT_OUT: Final = "exclude"
"""The setting that says which of the files are not read."""

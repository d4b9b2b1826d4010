"""What the job that makes a scorecard and the site that shows it agree on."""

from typing import Final

FORMAT: Final = 2
"""Of scorecard.json. Raised when a field changes its meaning or goes away; new fields do not raise it."""

ALL: Final = "*"
"""Stands for every runbook, or every severity."""

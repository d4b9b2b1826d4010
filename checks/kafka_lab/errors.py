"""What the lab says when it can't do what it was asked."""

from runbook.model.errors import RunbookError


class LabError(RunbookError):
    """The lab could not be started, broken or healed; the message says where, why and what to do."""

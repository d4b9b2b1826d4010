"""Which runbook speaks of what a person has before them: an alert, an error, or words."""

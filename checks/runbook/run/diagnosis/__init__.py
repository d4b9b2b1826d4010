"""What explains a run's failures, what heals, and what changed."""

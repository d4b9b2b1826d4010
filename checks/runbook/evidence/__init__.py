"""What is kept of runs: written once, chained, read again and verified."""

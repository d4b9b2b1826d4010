"""Checks, causes and cases, judged over collected facts."""

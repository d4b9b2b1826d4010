"""Hostile input by the million: what is mutated, how, what is run on it, and what counts as a failure."""

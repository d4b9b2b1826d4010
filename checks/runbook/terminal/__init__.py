"""The terminal: what is written to it, how wide it is, how far something is, and what ends it."""

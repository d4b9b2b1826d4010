"""Start, break and stop real systems on this machine."""

"""A run as a library: what it is of, and how it is carried out, without a terminal, a signal or a clock on the wall."""

"""How a system is reached; one file per kind of connection."""

"""A schema registry: the requests that may be sent to it."""

"""Runbooks for Apache Kafka platforms whose sentences are executable checks."""

__version__ = "1.0.0.dev0"

SELDOM = 100_000
"""New objects after which Python looks for cycles among them. Of all objects of a run hardly any are in cycles, and a
fact has millions: looking after every 700, as is usual, was a fourth of what judging takes. Our judgement."""

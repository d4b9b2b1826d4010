"""Runbooks for Apache Kafka platforms whose sentences are executable checks."""

__version__ = "1.0.0.dev0"

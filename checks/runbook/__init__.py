"""Runbooks for Apache Kafka platforms whose sentences are executable checks."""

__version__ = "0.1.0"

"""Histories that are made up: a plausible year of results of many environments, to look at and to measure with.

Nothing in them was measured. Every run says so (`generated: true`), and what reads them says it on.
"""

from kafka_lab.history.writing import HistorySize, WrittenHistory, write_history

__all__ = ["HistorySize", "WrittenHistory", "write_history"]

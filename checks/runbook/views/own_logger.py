"""Loggers of brokers that log otherwise than their root logger, and the root loggers."""

from collections import Counter
from typing import Annotated

from runbook.model.fact import Fact, Observed
from runbook.model.quantity import BrokerId
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View

_ROOT = "root"


class OwnLogger(Row):
    """A logger with a level of its own."""

    broker: Annotated[BrokerId, Cell("Node id.", key=True)]
    logger: Annotated[str, Cell("Name of the logger; root is the one all others inherit from.", key=True, moves=True)]
    level: Annotated[str, Cell("Its level in force.")]
    followers: Annotated[int, Cell("Of root: other loggers at its level, which usually inherit it.", unit="loggers")]


VIEW = View(
    help="One row per broker and logger whose level is not that of root, and one for root.",
    row=OwnLogger,
    inputs={"logger": Input("kafka_logger", columns=("broker", "logger", "level"), needs=("broker", "logger"))},
)


def compute(*, logger: Fact) -> Observed:
    """Work it out over kafka_logger. Where a broker's root was not seen, all of its loggers have a row."""
    rows = [*logger.rows("broker", "logger", "level")]
    roots = {row["broker"]: row["level"] for row in rows if row["logger"] == _ROOT}
    levels = Counter((row["broker"], row["level"]) for row in rows if row["logger"] != _ROOT)
    return Observed(
        rows=[
            OwnLogger(
                broker=row["broker"],
                logger=row["logger"],
                level=row["level"],
                followers=levels[row["broker"], row["level"]] if row["logger"] == _ROOT else 0,
            )
            for row in rows
            if row["logger"] == _ROOT or row["level"] != roots.get(row["broker"])
        ]
    )

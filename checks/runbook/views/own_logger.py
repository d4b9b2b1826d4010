"""Loggers of brokers that log otherwise than their root logger, and the root loggers."""

from collections import Counter
from collections.abc import Mapping
from typing import Annotated, Any

from runbook.model.fact import Fact, Observed
from runbook.model.quantity import BrokerId
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View

_ROOT = "root"


class OwnLogger(Row):
    """A logger with a level of its own."""

    broker: Annotated[BrokerId, Cell("Node id.", key=True)]
    logger: Annotated[str, Cell("Name of the logger; root is the one all others inherit from.", key=True, moves=True)]
    level: Annotated[str | None, Cell("Its level in force.")]
    followers: Annotated[
        int | None, Cell("Of root: other loggers at its level, which usually inherit it.", unit="loggers")
    ]


VIEW = View(
    help="One row per broker and logger whose level is not that of root, and one for root.",
    row=OwnLogger,
    inputs={"logger": Input("kafka_logger", columns=("broker", "logger", "level"), needs=("broker", "logger"))},
)


def _followers(
    row: Mapping[str, Any], levels: Counter[tuple[BrokerId, str | None]], untold: set[BrokerId]
) -> int | None:
    if row["logger"] != _ROOT:
        return 0
    return None if row["broker"] in untold else levels[row["broker"], row["level"]]


def compute(*, logger: Fact) -> Observed:
    """Work it out over kafka_logger.

    A logger of unknown level has a row, and so has each one of a broker whose root was not seen; how many follow a root
    is then unknown.
    """
    rows = [*logger.rows("broker", "logger", "level")]
    roots = {row["broker"]: row["level"] for row in rows if row["logger"] == _ROOT}
    levels = Counter((row["broker"], row["level"]) for row in rows if row["logger"] != _ROOT)
    untold = {row["broker"] for row in rows if row["level"] is None}
    return Observed(
        rows=[
            OwnLogger(
                broker=row["broker"],
                logger=row["logger"],
                level=row["level"],
                followers=_followers(row, levels, untold),
            )
            for row in rows
            if row["logger"] == _ROOT or row["level"] != roots.get(row["broker"])
        ]
    )

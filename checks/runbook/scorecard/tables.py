"""From what is known of each week to the finished tables: every metric measured, those of one table side by side.

A metric is a file of `runbook.scorecard.metrics`. It holds `measure(weekly: Weekly) -> DataFrame`, and names

- TABLE, the table its columns belong to; the Parquet file has its name,
- KEYS, the columns that identify a row of it,
- ORDER, SQL expressions that sort its rows, if not by KEYS,
- SHOWN, which of its rows stand in scorecard.json: `all` (if it names nothing), `latest` (of the last week: those whose
  `week` is that of the card) or `none`.
"""

from collections.abc import Callable
from functools import reduce
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args

import pyarrow.parquet as pq
from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812 - as all of Spark's own examples call it

from runbook.model.errors import UsageError
from runbook.plugins.catalog import catalog
from runbook.scorecard.weekly import Weekly

Shown = Literal["all", "latest", "none"]


class FinishedTable(NamedTuple):
    """A finished table.

    Attributes:
        rows: all of them, sorted, in one partition.
        shown: which of them stand in scorecard.json.
    """

    rows: DataFrame
    shown: Shown


class _Shape(NamedTuple):
    keys: tuple[str, ...]
    order: tuple[str, ...]
    shown: Shown


def tables_of(weekly: Weekly, progress: Callable[[str], None]) -> dict[str, FinishedTable]:
    """Measure every metric that is found by its file name.

    Args:
        weekly: what there is to measure.
        progress: is told what is being done.

    Returns:
        Table name -> the table.

    Raises:
        UsageError: two metrics do not agree on the shape of their table, or one wants something shown that there isn't.
    """
    metrics = catalog("scorecard.metrics")
    shapes: dict[str, _Shape] = {}
    parts: dict[str, list[DataFrame]] = {}
    for name in metrics.names():
        module = metrics.load(name)
        progress(f"measuring {name}")
        shape = _Shape(module.KEYS, getattr(module, "ORDER", module.KEYS), getattr(module, "SHOWN", "all"))
        if shape.shown not in get_args(Shown):
            known = ", ".join(get_args(Shown))
            raise UsageError(f"the metric {name} says SHOWN = {shape.shown!r}: write one of {known}")
        if shapes.setdefault(module.TABLE, shape) != shape:
            raise UsageError(
                f"the metric {name} has other KEYS, ORDER or SHOWN than those before it of the table {module.TABLE}"
            )
        parts.setdefault(module.TABLE, []).append(module.measure(weekly))
    return {
        table: FinishedTable(_side_by_side(parts[table], shape.keys, shape.order), shape.shown)
        for table, shape in sorted(shapes.items())
    }


def in_the_card(file: Path, shown: Shown, week: str) -> list[dict[str, Any]]:
    """Give the rows of a finished table that stand in scorecard.json.

    Args:
        file: the table, as Parquet.
        shown: which rows these are.
        week: that of the card, as in 2026-W47.
    """
    if shown == "none":
        return []
    table = pq.read_table(file, filters=[("week", "=", week)] if shown == "latest" else None)
    rows: list[dict[str, Any]] = table.to_pylist(maps_as_pydicts="strict")
    return rows


def _side_by_side(parts: list[DataFrame], keys: tuple[str, ...], order: tuple[str, ...]) -> DataFrame:
    whole = reduce(lambda left, right: left.join(right, list(keys), "full"), parts)
    return whole.coalesce(1).sortWithinPartitions(*map(F.expr, order))

"""From states to the finished tables: every metric measured, those of one table side by side."""

from collections.abc import Callable
from functools import reduce

from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812 - as all of Spark's own examples call it

from runbook.engine.catalog import catalog
from runbook.engine.errors import UsageError


def tables_of(states: DataFrame, progress: Callable[[str], None]) -> dict[str, DataFrame]:
    """Measure every metric that is found by its file name.

    A metric's file holds `measure(states)`, and names its TABLE, the columns KEYS that identify a row of it, and, if
    rows are not to be sorted by these, the SQL expressions ORDER.

    Args:
        states: as `runbook.scorecard.weekly` gives them.
        progress: is told what is being done.

    Returns:
        Table name -> its rows, sorted, in one partition.

    Raises:
        UsageError: two metrics of a table do not agree on what identifies a row of it.
    """
    metrics = catalog("scorecard.metrics")
    keys: dict[str, tuple[str, ...]] = {}
    order: dict[str, tuple[str, ...]] = {}
    parts: dict[str, list[DataFrame]] = {}
    for name in metrics.names():
        module = metrics.load(name)
        progress(f"measuring {name}")
        if keys.setdefault(module.TABLE, module.KEYS) != module.KEYS:
            raise UsageError(
                f"the metric {name} has other KEYS than the table {module.TABLE}: {', '.join(module.KEYS)}"
            )
        order.setdefault(module.TABLE, getattr(module, "ORDER", module.KEYS))
        parts.setdefault(module.TABLE, []).append(module.measure(states))
    return {table: _side_by_side(parts[table], keys[table], order[table]) for table in sorted(parts)}


def _side_by_side(parts: list[DataFrame], keys: tuple[str, ...], order: tuple[str, ...]) -> DataFrame:
    whole = reduce(lambda left, right: left.join(right, list(keys), "full"), parts)
    return whole.repartition(1).sortWithinPartitions(*map(F.expr, order))

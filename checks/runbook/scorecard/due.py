"""What was expected in each week: the snapshots of a store, each in force until the next."""

import datetime as dt
from collections.abc import Sequence
from typing import NamedTuple

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812 - as all of Spark's own examples call it

from runbook.evidence.snapshot import MalformedSnapshot, Snapshot, read_snapshot
from runbook.scorecard.hadoop import HadoopFolder, as_literal
from runbook.scorecard.segment_rows import LONGEST

Finding = tuple[str, int, str, str | None]
"""A row of `aside`: file, line, reason, text."""

_WEEK = dt.timedelta(days=7)


class DuePlan(NamedTuple):
    """What is due by snapshots.

    Attributes:
        mondays: the weeks in which one is in force: `monday`.
        pairs: `environment`, `runbook`, `monday`, and the `number` of the snapshot that says so.
        checks: `number`, `runbook`, `check`, `severity`, `check_digest`, `runbook_version`.
    """

    mondays: DataFrame
    pairs: DataFrame
    checks: DataFrame


def snapshots(spark: SparkSession, store: str) -> tuple[list[Snapshot], list[Finding]]:
    """Read the snapshots of a store in the order of their time, and say what is wrong with others.

    There is one for each change of what is expected, each of some kilobytes.
    """
    folder = HadoopFolder(spark, store)
    if not folder.has("expected"):
        return [], []
    reader = spark.read.format("binaryFile").option("recursiveFileLookup", "true")
    files = reader.option("pathGlobFilter", "*.json").load(as_literal(folder.at("expected")))
    found: list[tuple[str, str, Snapshot]] = []
    aside: list[Finding] = []
    for row in files.select("path", "content").orderBy("path").toLocalIterator():
        file = row.path.removeprefix(folder.root + "/")
        try:
            snapshot = read_snapshot(bytes(row.content))
        except MalformedSnapshot as error:
            aside.append((file, 0, str(error), bytes(row.content).decode(errors="replace")[:LONGEST]))
            continue
        if snapshot.at[:10] != file.split("/")[-2]:
            aside.append((file, 0, f"it is of {snapshot.at}, and filed under another date", None))
            continue
        found.append((snapshot.at, file, snapshot))
    in_order = sorted(found, key=lambda one: (dt.datetime.fromisoformat(one[0]), one[1]))
    return [snapshot for _, _, snapshot in in_order], aside


def plan_of(spark: SparkSession, known: list[Snapshot], as_of: dt.datetime, weeks: int) -> DuePlan | None:
    """Say what is due in each of the last weeks, up to the one that `as_of` is in.

    In force is the last snapshot before the end of a week, or up to `as_of`.
    """
    last = as_of.astimezone(dt.UTC).date()
    last -= dt.timedelta(days=last.weekday())
    in_force: list[tuple[dt.date, int]] = []
    for monday in (last - n * _WEEK for n in reversed(range(weeks))):
        ends = dt.datetime.combine(monday + _WEEK, dt.time(), dt.UTC)
        before = [
            number
            for number, snapshot in enumerate(known)
            if (at := dt.datetime.fromisoformat(snapshot.at)) < ends and at <= as_of
        ]
        if before:
            in_force.append((monday, before[-1]))
    if not in_force:
        return None
    used = {number: known[number] for _, number in in_force}
    pairs = {
        (n, environment, book)
        for n, snapshot in used.items()
        for environment, books in snapshot.environments.items()
        for book in books
    }
    checks = {
        (n, check.runbook, check.check, check.severity, check.check_digest, check.runbook_version)
        for n, snapshot in used.items()
        for check in snapshot.checks
    }
    weeks_of = _table(spark, in_force, "monday date, number int")
    of_pairs = _table(spark, sorted(pairs), "number int, environment string, runbook string")
    of_checks = _table(
        spark,
        sorted(checks),
        "number int, runbook string, check string, severity string, check_digest string, runbook_version string",
    ).dropDuplicates(["number", "check"])
    return DuePlan(
        weeks_of.select("monday"),
        of_pairs.join(F.broadcast(weeks_of), "number").select("environment", "runbook", "monday", "number"),
        of_checks,
    )


def _table(spark: SparkSession, rows: Sequence[tuple[object, ...]], schema: str) -> DataFrame:
    return spark.createDataFrame(list(rows), schema)

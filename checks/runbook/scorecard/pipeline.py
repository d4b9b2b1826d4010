"""The steps of the scorecard job, in their order."""

import datetime as dt
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from msgspec import Struct
from py4j.protocol import Py4JJavaError
from pyspark import StorageLevel
from pyspark.errors import AnalysisException, PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812 - as all of Spark's own examples call it

from runbook.engine.errors import UsageError
from runbook.scorecard import files, method
from runbook.scorecard.evidence import read
from runbook.scorecard.job import Summary
from runbook.scorecard.spark import session
from runbook.scorecard.tables import tables_of
from runbook.scorecard.weekly import results_of, runs_of, weekly_states

FORMAT = 1
"""Of scorecard.json."""

_SHOWN = 200  # of the quarantine in scorecard.json; the rest is in its own file
_LONGEST = 2000  # characters of a quarantined line; the store keeps the original

_Tables = dict[str, list[dict[str, Any]]]


class _Evidence(Struct):
    """What a store holds: its runs and results, what was set aside, and how much of each."""

    runs: DataFrame
    results: DataFrame
    aside: DataFrame
    counts: dict[str, int]
    newest: str


def run(
    store: str,
    out: Path,
    *,
    master: str,
    progress: Callable[[str], None],
    weeks: int,
    as_of: str | None,
    java_home: Path | None,
    light: bool,
) -> Summary:
    """Do what `runbook.scorecard.job.roll_up` promises."""
    progress(f"starting Spark on {master}")
    with _explained(store), session(master, java_home, light=light) as spark, files.folder_to_fill(out) as folder:
        progress(f"reading {store}")
        evidence = _gather(spark, store, as_of)
        counts = evidence.counts
        progress(f"{counts['lines']} lines in {counts['files']} files, {counts['quarantined']} set aside")
        files.write_json_lines(evidence.aside, folder / "quarantine.jsonl")
        card: dict[str, Any] = {}
        if counts["runs"] > counts["later"]:
            progress(f"scoring {counts['scored_runs']} of {counts['runs']} runs, {counts['results']} results")
            card = _card(evidence, _tables(evidence, weeks, folder, progress))
            files.write_json(card, folder / "scorecard.json")
    if not card:
        raise UsageError(_nothing_to_score(store, out, counts, as_of))
    return _summary(out, card)


def _gather(spark: SparkSession, store: str, as_of: str | None) -> _Evidence:
    # A checkpoint keeps the rows where they are computed, and forgets how: planning each step anew from the very first
    # took most of the time. What grows with the store is kept on disk, so that memory does not.
    lines = read(spark, store).localCheckpoint(storageLevel=StorageLevel.DISK_ONLY)
    sound = lines.where("reason IS NULL")
    runs = runs_of(sound).localCheckpoint()
    named = F.broadcast(runs.select(F.col("environment").alias("of"), F.col("run").alias("by")))
    has_run = (F.col("record.environment") == F.col("of")) & (F.col("record.run") == F.col("by"))
    results = results_of(sound.join(named, has_run, "left_semi")).localCheckpoint(storageLevel=StorageLevel.DISK_ONLY)
    orphans = sound.where("record.kind = 'result'").join(named, has_run, "left_anti")
    aside = _quarantine(lines, orphans).localCheckpoint()
    newest = as_of or runs.agg(F.max_by("started_at", F.struct("started", "run"))).collect()[0][0] or ""
    counts = _numbers(lines.agg(F.count_distinct("file").alias("files"), F.count_if(F.col("line") > 0).alias("lines")))
    counts |= _numbers(
        runs.agg(
            F.count("*").alias("runs"),
            F.count_if("scored").alias("scored_runs"),
            F.count_if(F.col("started") > F.to_timestamp(F.lit(newest or None))).alias("later"),
        )
    )
    counts["results"] = results.count()
    counts["quarantined"] = aside.count()
    counts["duplicates"] = _duplicates(sound, counts, orphans.count())
    return _Evidence(runs, results, aside, counts, newest)


def _numbers(one: DataFrame) -> dict[str, int]:
    return {name: int(value or 0) for name, value in one.collect()[0].asDict().items()}


def _duplicates(sound: DataFrame, counts: dict[str, int], orphans: int) -> int:
    """How many sound records repeat another's key."""
    kept = counts["runs"] + counts["results"] + orphans
    return sound.where("record.kind IN ('run', 'result')").count() - kept


def _quarantine(lines: DataFrame, orphans: DataFrame) -> DataFrame:
    lost = F.lit("the first line of its run is missing or was set aside: what the run was for is not known")
    both = lines.where("reason IS NOT NULL").unionByName(orphans.withColumn("reason", lost))
    text = F.substring("text", 1, _LONGEST).alias("text")
    return both.select("file", "line", "reason", text).repartition(1).sortWithinPartitions("file", "line", "reason")


def _tables(evidence: _Evidence, weeks: int, folder: Path, progress: Callable[[str], None]) -> _Tables:
    until = F.to_timestamp(F.lit(evidence.newest))
    states = weekly_states(evidence.runs, evidence.results, until, weeks).localCheckpoint()
    tables = {}
    for name, frame in tables_of(states, progress).items():
        finished = frame.localCheckpoint()
        progress(f"writing {name}")
        files.write_parquet(finished, folder / f"{name}.parquet")
        tables[name] = files.rows_of(finished)
    return tables


def _card(evidence: _Evidence, tables: _Tables) -> dict[str, Any]:
    year, week, _ = dt.datetime.fromisoformat(evidence.newest).astimezone(dt.UTC).isocalendar()
    named = {
        name: sorted({row[name] for row in tables["scores"]} - {method.ALL}) for name in ("environment", "runbook")
    }
    return {
        "format": FORMAT,
        "method": {"version": method.VERSION, "least_coverage": method.LEAST_COVERAGE, "weights": method.WEIGHTS},
        "as_of": evidence.newest,
        "week": f"{year:04}-W{week:02}",
        "weeks": sorted({row["week"] for row in tables["scores"]}),
        "environments": named["environment"],
        "runbooks": named["runbook"],
        "counts": dict(sorted(evidence.counts.items())),
        "tables": tables,
        "quarantine": files.rows_of(evidence.aside.limit(_SHOWN)),
    }


def _summary(out: Path, card: dict[str, Any]) -> Summary:
    now = [row for row in card["tables"]["scores"] if row["week"] == card["week"] and row["runbook"] == method.ALL]
    return Summary(
        out=out,
        week=card["week"],
        as_of=card["as_of"],
        environments=len(card["environments"]),
        silent=[row["environment"] for row in now if row["status"] == "silent"],
        failing=sum(not row["waived"] for row in card["tables"]["failing"]),
        counts=card["counts"],
    )


def _nothing_to_score(store: str, out: Path, counts: dict[str, int], as_of: str | None) -> str:
    if counts["runs"]:
        return f"every run in {store} started after {as_of}: there is nothing to score. Give a later moment"
    return (
        f"nothing in {store} can be read as results, so there is nothing to score: {counts['quarantined']} findings, "
        f"each with its reason, are in {out / 'quarantine.jsonl'}"
    )


@contextmanager
def _explained(store: str) -> Iterator[None]:
    """Say in a sentence what stopped Spark."""
    try:
        yield
    except AnalysisException as error:
        if error.getCondition() != "PATH_NOT_FOUND":
            raise
        raise UsageError(f"{store} holds no results: there is nothing to score") from error
    except (PySparkException, Py4JJavaError) as error:
        cause = error.java_exception.toString() if isinstance(error, Py4JJavaError) else str(error)
        raise UsageError(f"Spark could not finish the scorecard of {store}: {cause.splitlines()[0]}") from error

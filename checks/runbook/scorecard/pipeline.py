"""The steps of the scorecard job, in their order."""

import datetime as dt
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from msgspec import Struct
from py4j.protocol import Py4JJavaError
from pyspark.errors import AnalysisException, PySparkException
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812 - as all of Spark's own examples call it

from runbook.engine.errors import UsageError
from runbook.scorecard import files, method
from runbook.scorecard.agenda import due_in_weeks
from runbook.scorecard.compaction import compact
from runbook.scorecard.due import Finding, Plan, plan_of, snapshots
from runbook.scorecard.job import Order, Summary
from runbook.scorecard.rows import schema_of, week_of
from runbook.scorecard.segments import SEGMENT, Weeks
from runbook.scorecard.spark import session
from runbook.scorecard.summary import between_weeks, kept, summarise, until
from runbook.scorecard.tables import in_the_card, tables_of
from runbook.scorecard.weekly import Weekly, weekly_of

FORMAT = 2
"""Of scorecard.json."""

_SHOWN = 200  # of the quarantine in scorecard.json; the rest is in its own file

_AT_ONCE = 3
"""Tables written at a time: each ends in a step of one task, beside which other cores would wait."""

_Tables = dict[str, list[dict[str, Any]]]


class _Known(Struct):
    """What the segments of a store hold altogether.

    Attributes:
        aside: what was set aside.
        counts: how much of what.
        newest: the moment the card is of.
        generated: whether the runs were made up.
        beyond: whether there are runs after that moment in its week.
    """

    aside: DataFrame
    counts: dict[str, int]
    newest: str
    generated: bool
    beyond: bool


def run(order: Order, *, progress: Callable[[str], None], light: bool) -> Summary:
    """Do what `runbook.scorecard.job.roll_up` promises."""
    store, out = order.store, order.out
    progress(f"starting Spark on {order.master}")
    with (
        _explained(store),
        session(order.master, order.java_home, light=light) as spark,
        files.folder_to_fill(out) as folder,
    ):
        progress(f"looking for new files in {store}")
        weeks = Weeks(spark, order.weeks_dir or f"{store}/weeks")
        compacted = compact(spark, store, weeks, progress)
        expected, findings = snapshots(spark, store)
        known = _known(spark, weeks, order.as_of, [*compacted.altered, *findings])
        counts = known.counts
        progress(
            f"{counts['files']} files, {compacted.new_files} of them new; {counts['lines']} lines, "
            f"{counts['quarantined']} set aside"
        )
        files.write_json_lines(known.aside, folder / "quarantine.jsonl")
        card: dict[str, Any] = {}
        made = 0
        if counts["runs"] > counts["later"]:
            as_of = dt.datetime.fromisoformat(known.newest)
            plan = plan_of(spark, expected, as_of, order.weeks)
            moment = F.to_timestamp(F.lit(known.newest)).alias("as_of")
            shown = _weeks_shown(weeks, as_of, order.weeks)
            changes, made = _changes(weeks, shown, known, moment, progress)
            progress(f"scoring {counts['scored_runs']} of {counts['runs']} runs, {counts['results']} results")
            weekly = _weekly(weeks, shown, changes, plan, moment)
            card = _card(known, _week(as_of), _tables(weekly, folder, _week(as_of), progress))
            files.write_json(card, folder / "scorecard.json")
    if not card:
        raise UsageError(_nothing_to_score(store, out, counts, order.as_of))
    work = {"new_files": compacted.new_files, "segments": compacted.segments, "summaries": made}
    return _summary(out, card, work)


def _known(spark: SparkSession, weeks: Weeks, as_of: str | None, findings: list[Finding]) -> _Known:
    every = weeks.weeks()
    columns = ("environment", "started", "run", "started_at", "file", "scored", "generated")
    runs = weeks.read("runs", schema_of("runs"), SEGMENT, every).select(*columns)
    newest, generated = _newest(runs, as_of)
    until_then = F.to_timestamp(F.lit(newest or None))
    later = F.col("started") > until_then
    same_week = method.monday("started") == method.monday(until_then)
    sources = weeks.read("sources", schema_of("sources"), SEGMENT, every)
    sums = [F.sum(name).alias(name) for name in ("lines", "results", "duplicates")]
    counts = _numbers(sources.agg(F.count("*").alias("files"), *sums))
    counts |= _numbers(
        runs.agg(
            F.count("*").alias("runs"),
            F.count_if("scored").alias("scored_runs"),
            F.count_if(later).alias("later"),
            F.count_if(later & same_week).alias("beyond"),
        )
    )
    beyond = bool(counts.pop("beyond"))
    aside = weeks.read("aside", schema_of("aside"), SEGMENT, every).union(
        spark.createDataFrame(findings, schema_of("aside"))
    )
    in_order = aside.repartition(1).sortWithinPartitions("file", "line", "reason").localCheckpoint()
    counts["quarantined"] = in_order.count()
    return _Known(in_order, counts, newest, generated, beyond)


def _newest(runs: DataFrame, as_of: str | None) -> tuple[str, bool]:
    """The moment the card is of, and whether it shows what was made up.

    Raises:
        UsageError: some runs were made up and some measured.
    """
    files_of = {made: F.min(F.when(F.col("generated") == made, F.col("file"))) for made in (False, True)}
    newest = F.max_by("started_at", F.struct("started", "run"))
    row = runs.agg(newest.alias("newest"), files_of[False].alias("measured"), files_of[True].alias("made")).collect()[0]
    if row.measured and row.made:
        raise UsageError(
            f"the store mixes measured results with generated ones: {row.measured} was measured, {row.made} was "
            "generated. Numbers over both mean nothing: keep them in stores of their own"
        )
    return as_of or row.newest or "", bool(row.made)


def _numbers(one: DataFrame) -> dict[str, int]:
    return {name: int(value or 0) for name, value in one.collect()[0].asDict().items()}


def _weeks_shown(weeks: Weeks, as_of: dt.datetime, shown: int) -> list[str]:
    """The weeks that hold something, of as many as are shown; the last is the one that the moment is in."""
    return sorted({_week(as_of - dt.timedelta(days=7 * n)) for n in range(shown)} & set(weeks.weeks()))


def _week(moment: dt.datetime) -> str:
    return week_of(f"{moment.astimezone(dt.UTC).date()}/")


def _changes(
    weeks: Weeks, shown: list[str], known: _Known, moment: Column, progress: Callable[[str], None]
) -> tuple[DataFrame, int]:
    """Where verdicts changed in the weeks shown; and how many summaries had to be made to know it."""
    # With later runs left out, the week is another than the one that is kept.
    this = _week(dt.datetime.fromisoformat(known.newest))
    whole = [week for week in shown if week != this] if known.beyond else shown
    made = summarise(weeks, whole, progress)
    changes = kept(weeks, whole)
    return changes.unionByName(until(weeks, this, moment)) if known.beyond else changes, made


def _weekly(weeks: Weeks, shown: list[str], changes: DataFrame, plan: Plan | None, moment: Column) -> Weekly:
    runs = weeks.read("runs", schema_of("runs"), SEGMENT, shown).where(F.col("started") <= moment)
    results = weeks.read("results", schema_of("results"), SEGMENT, shown[-2:])
    due = due_in_weeks(runs, plan, moment)
    return weekly_of(due, runs, results, between_weeks(changes, runs).localCheckpoint(), moment)


def _tables(weekly: Weekly, folder: Path, week: str, progress: Callable[[str], None]) -> _Tables:
    made = tables_of(weekly, progress)

    def written(name: str) -> list[dict[str, Any]]:
        progress(f"writing {name}")
        file = folder / f"{name}.parquet"
        files.write_parquet(made[name].rows, file)
        return in_the_card(file, made[name].shown, week)

    with ThreadPoolExecutor(_AT_ONCE) as pool:
        tables = dict(zip(made, pool.map(written, made), strict=True))
    named = weekly.counts.select("week", "environment", "runbook").distinct()
    tables["_named"] = files.rows_of(named)
    return tables


def _without_holes(first: str, last: str) -> list[str]:
    monday, end = (dt.datetime.strptime(f"{week}-1", "%G-W%V-%u").replace(tzinfo=dt.UTC) for week in (first, last))
    return [_week(monday + dt.timedelta(weeks=n)) for n in range((end - monday).days // 7 + 1)]


def _card(known: _Known, week: str, tables: _Tables) -> dict[str, Any]:
    named = tables.pop("_named")
    return {
        "format": FORMAT,
        "method": {"version": method.VERSION, "least_coverage": method.LEAST_COVERAGE, "weights": method.WEIGHTS},
        "generated": known.generated,
        "as_of": known.newest,
        "week": week,
        "weeks": _without_holes(min((row["week"] for row in named), default=week), week),
        "environments": sorted({row["environment"] for row in named}),
        "runbooks": sorted({row["runbook"] for row in named}),
        "counts": dict(sorted(known.counts.items())),
        "tables": tables,
        "quarantine": files.rows_of(known.aside.limit(_SHOWN)),
    }


def _summary(out: Path, card: dict[str, Any], work: dict[str, int]) -> Summary:
    now = [
        row
        for row in card["tables"]["scores"]
        if row["week"] == card["week"] and (row["runbook"], row["severity"]) == (method.ALL, method.ALL)
    ]
    return Summary(
        out=out,
        week=card["week"],
        as_of=card["as_of"],
        environments=len(card["environments"]),
        silent=[row["environment"] for row in now if row["status"] == "silent"],
        failing=sum(not row["waived"] for row in card["tables"]["failing"]),
        counts=card["counts"],
        work=work,
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
    except (PySparkException, Py4JJavaError, OSError) as error:
        cause = error.java_exception.toString() if isinstance(error, Py4JJavaError) else str(error)
        raise UsageError(f"Spark could not finish the scorecard of {store}: {cause.splitlines()[0]}") from error

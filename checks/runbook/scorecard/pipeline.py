"""The steps of the scorecard job, in their order."""

import datetime as dt
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from msgspec import Struct
from py4j.protocol import Py4JError
from pyspark.errors import AnalysisException, PySparkException
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812 - as all of Spark's own examples call it

from runbook.judge.summary import counted
from runbook.model.errors import UsageError
from runbook.model.scorecard import ALL, FORMAT
from runbook.scorecard import files, method
from runbook.scorecard.agenda import due_in_weeks
from runbook.scorecard.compaction import compact
from runbook.scorecard.due import DuePlan, Finding, plan_of, snapshots
from runbook.scorecard.old_names import of_today, runs_of_today, snapshot_of_today
from runbook.scorecard.request import Order, RollUpSummary, summary_of
from runbook.scorecard.segment_rows import week_of
from runbook.scorecard.segment_schema import schema_of
from runbook.scorecard.segments import SEGMENT, Weeks
from runbook.scorecard.spark import at_once, session
from runbook.scorecard.spark_failure import why
from runbook.scorecard.summary import between_weeks, kept, summarise, until
from runbook.scorecard.tables import in_the_card, tables_of
from runbook.scorecard.weekly import Weekly, weekly_of

_SHOWN = 200  # of the quarantine in scorecard.json; the rest is in its own file

_LARGE = 50_000_000
"""Results in a store from which on the tables of its weeks have more than one partition. Our judgement: at 10 million,
one task makes each of them within a second or two."""

_Tables = dict[str, list[dict[str, Any]]]


class _Totals(Struct):
    """What the segments of a store hold altogether.

    Attributes:
        aside: what was set aside, in order.
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


def run(order: Order, *, progress: Callable[[str], None]) -> tuple[RollUpSummary, list[str]]:
    """Do what `runbook.scorecard.job.roll_up` promises; also the names of the files made."""
    store, out = order.store, order.out
    progress(f"starting Spark on {order.master}")
    with (
        _explained(store),
        session(order.master, order.java_home, order.cache) as spark,
        files.folder_to_fill(out) as folder,
    ):
        progress(f"looking for new files in {store}")
        weeks = Weeks(spark, order.weeks_dir or f"{store}/weeks")
        compacted = compact(spark, store, weeks, progress)
        expected, findings = snapshots(spark, store)
        known = _known(spark, weeks, order.as_of, [*compacted.altered, *findings])
        counts = known.counts
        progress(
            f"{counted(counts['files'], 'file')}, {compacted.new_files} of them new; "
            f"{counted(counts['lines'], 'line')}, {counts['quarantined']} set aside"
        )
        files.write_json_lines(known.aside if counts["quarantined"] else None, folder / "quarantine.jsonl")
        card: dict[str, Any] = {}
        summaries = 0
        if counts["runs"] > counts["later"]:
            as_of = dt.datetime.fromisoformat(known.newest)
            if counts["results"] > _LARGE:
                spark.conf.set("spark.sql.shuffle.partitions", spark.sparkContext.defaultParallelism)
            names = order.old_names
            plan = plan_of(spark, [snapshot_of_today(one, names) for one in expected], as_of, order.weeks)
            moment = F.to_timestamp(F.lit(known.newest)).alias("as_of")
            shown = _weeks_shown(weeks, as_of, order.weeks)
            changes, summaries = _changes(weeks, shown, known, progress)
            of = f"{counted(counts['runs'], 'run')}, {counted(counts['results'], 'result')}"
            progress(f"scoring {counts['scored_runs']} of {of}")
            weekly = _weekly(weeks, shown, of_today(changes, names), plan, moment, names)
            card = _card(known, _week(as_of), _tables(weekly, folder, _week(as_of), progress), folder)
            files.write_json(card, folder / "scorecard.json")
        made = [file.name for file in folder.iterdir()]
    if not card:
        raise UsageError(_nothing_to_score(store, out, counts, order.as_of))
    work = {"new_files": compacted.new_files, "segments": compacted.segments, "summaries": summaries}
    return summary_of(out, card, work), made


def _known(spark: SparkSession, weeks: Weeks, as_of: str | None, findings: list[Finding]) -> _Totals:
    every = weeks.weeks()
    runs = weeks.read("runs", schema_of("runs"), SEGMENT, every).agg(*_of_runs(as_of))
    sums = [F.sum(name).alias(name) for name in ("lines", "results", "duplicates")]
    sources = weeks.read("sources", schema_of("sources"), SEGMENT, every).agg(F.count("*").alias("files"), *sums)
    said = runs.crossJoin(sources).collect()[0].asDict()
    newest, measured, made = (said.pop(name) for name in ("newest", "measured", "made"))
    if measured and made:
        raise UsageError(
            f"the store mixes measured results with generated ones: {measured} was measured, {made} was "
            "generated. Numbers over both mean nothing: keep them in stores of their own"
        )
    counts = {name: int(value or 0) for name, value in said.items()}
    beyond = bool(counts.pop("beyond"))
    aside = weeks.read("aside", schema_of("aside"), SEGMENT, every)
    if findings:
        aside = aside.union(spark.createDataFrame(findings, schema_of("aside")))
    counts["quarantined"] = aside.count()
    in_order = aside.coalesce(1).sortWithinPartitions("file", "line", "reason")
    return _Totals(in_order, counts, as_of or newest or "", bool(made), beyond)


def _of_runs(as_of: str | None) -> list[Column]:
    """What is to be known of all runs: without a moment the card is of the newest, and none is later."""
    until_then = F.to_timestamp(F.lit(as_of))
    later = F.col("started") > until_then
    same_week = method.monday("started") == method.monday(until_then)
    files_of = [F.min(F.when(F.col("generated") == made, F.col("file"))) for made in (False, True)]
    return [
        F.max_by("started_at", F.struct("started", "run")).alias("newest"),
        files_of[0].alias("measured"),
        files_of[1].alias("made"),
        F.count("*").alias("runs"),
        F.count_if("scored").alias("scored_runs"),
        F.count_if(later).alias("later"),
        F.count_if(later & same_week).alias("beyond"),
    ]


def _weeks_shown(weeks: Weeks, as_of: dt.datetime, shown: int) -> list[str]:
    """The weeks that hold something, of as many as are shown; the last is the one that the moment is in."""
    return sorted({_week(as_of - dt.timedelta(days=7 * n)) for n in range(shown)} & set(weeks.weeks()))


def _week(moment: dt.datetime) -> str:
    return week_of(f"{moment.astimezone(dt.UTC).date()}/")


def _changes(weeks: Weeks, shown: list[str], known: _Totals, progress: Callable[[str], None]) -> tuple[DataFrame, int]:
    """Where verdicts changed in the weeks shown; and how many summaries had to be made to know it."""
    as_of = dt.datetime.fromisoformat(known.newest)
    # With later runs left out, the week is another than the one that is kept.
    whole = [week for week in shown if week != _week(as_of)] if known.beyond else shown
    made = summarise(weeks, whole, progress)
    changes = kept(weeks, whole)
    return changes.unionByName(until(weeks, _week(as_of), as_of)) if known.beyond else changes, made


def _weekly(
    weeks: Weeks, shown: list[str], changes: DataFrame, plan: DuePlan | None, moment: Column, names: Mapping[str, str]
) -> Weekly:
    runs = weeks.read("runs", schema_of("runs"), SEGMENT, shown).where(F.col("started") <= moment)
    runs = runs_of_today(runs, names)
    results = of_today(weeks.read("results", schema_of("results"), SEGMENT, shown[-2:]), names)
    due, turns = at_once(lambda: due_in_weeks(runs, plan, moment), lambda: between_weeks(changes, runs))
    return weekly_of(due, runs, results, turns, moment)


def _tables(weekly: Weekly, folder: Path, week: str, progress: Callable[[str], None]) -> _Tables:
    made = tables_of(weekly, progress)

    def written(name: str) -> list[dict[str, Any]]:
        progress(f"writing {name}")
        file = folder / f"{name}.parquet"
        files.write_parquet(made[name].rows, file)
        return in_the_card(file, made[name].shown, week)

    return dict(zip(made, at_once(*[partial(written, name) for name in made]), strict=True))


def _without_holes(first: str, last: str) -> list[str]:
    monday, end = (dt.datetime.strptime(f"{week}-1", "%G-W%V-%u").replace(tzinfo=dt.UTC) for week in (first, last))
    return [_week(monday + dt.timedelta(weeks=n)) for n in range((end - monday).days // 7 + 1)]


def _card(known: _Totals, week: str, tables: _Tables, folder: Path) -> dict[str, Any]:
    named = files.distinct(folder / "scores.parquet", "week", "environment", "runbook")
    return {
        "format": FORMAT,
        "method": {"version": method.VERSION, "least_coverage": method.LEAST_COVERAGE, "weights": method.WEIGHTS},
        "generated": known.generated,
        "as_of": known.newest,
        "week": week,
        "weeks": _without_holes(min(named["week"], default=week), week),
        "environments": named["environment"],
        "runbooks": [name for name in named["runbook"] if name != ALL],
        "counts": dict(sorted(known.counts.items())),
        "tables": tables,
        "quarantine": files.first_lines(folder / "quarantine.jsonl", _SHOWN),
    }


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
    except (PySparkException, Py4JError, OSError) as error:
        raise UsageError(f"Spark could not finish the scorecard of {store}: {why(error)}") from error

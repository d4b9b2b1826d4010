"""Compact new evidence: files that no segment names are read, checked and written as one segment of each week."""

from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from msgspec import Struct
from pyspark import StorageLevel
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812 - as all of Spark's own examples call it
from pyspark.sql.udf import UserDefinedFunction
from pyspark.util import PythonEvalType

from runbook.engine.evidence import LARGEST
from runbook.scorecard.hadoop import Folder, as_literal
from runbook.scorecard.rows import FILE, TABLES, rows_of_files, schema_of, week_of
from runbook.scorecard.segments import SEGMENT, Weeks, name_of

_ALTERED = (
    "it had {before} bytes when it was compacted, and has {now} now: evidence must not change. "
    "What it held then is used"
)

_ROUND = 2 * 2**30
"""Bytes of evidence read before segments are written: a job that is stopped loses no more, and disk use is bounded."""

_ORDER = {table: tuple(columns) for table, columns in TABLES.items()} | {
    "results": ("older", "environment", "check", "subject", "started", "run")
}


class _File(NamedTuple):
    """A file of a store: its place under it, its length in bytes, and how Spark calls it."""

    place: str
    length: int
    address: str = ""


class Compacted(Struct, frozen=True):
    """What was done.

    Attributes:
        new_files: how many were read.
        segments: how many were written.
        altered: files whose length is not the one they were compacted with, as rows of `aside`.
    """

    new_files: int
    segments: int
    altered: list[tuple[str, int, str, None]]


def compact(spark: SparkSession, store: str, weeks: Weeks, progress: Callable[[str], None]) -> Compacted:
    """Read what is new in a store, and write it as segments.

    Args:
        spark: the session.
        store: the address of the store.
        weeks: where the segments are.
        progress: is told what is being done.
    """
    weeks.clear()
    found = _Found(spark, store)
    known = weeks.read("sources", schema_of("sources"), SEGMENT, weeks.weeks())
    fresh, altered = found.against(known)
    by_week: dict[str, list[_File]] = defaultdict(list)
    for file in fresh:
        by_week[week_of(file.place)].append(file)
    done = 0
    for some in _rounds(by_week):
        progress(f"reading {sum(map(len, some.values()))} new files of {len(some)} weeks, {done} of {len(fresh)} read")
        _write_segments(found.read([file for files in some.values() for file in files]), weeks, some)
        done += sum(map(len, some.values()))
    return Compacted(len(fresh), len(by_week), altered)


class _Found:
    """The files of a store; listing them reads none."""

    def __init__(self, spark: SparkSession, store: str) -> None:
        self._spark = spark
        self._root = Folder(spark, store).root
        reader = spark.read.format("binaryFile").option("recursiveFileLookup", "true")
        self._files = reader.option("pathGlobFilter", "*.jsonl").load(as_literal(store) + "/runs")
        # Spark passes over empty files without a word; of a store that is no local folder they are not known.
        local = [] if "://" in store else Path(store).glob("runs/**/*.jsonl")
        self._empty = [(str(one.relative_to(store)), 0, "") for one in local if one.stat().st_size == 0]

    def against(self, known: DataFrame) -> tuple[list[_File], list[tuple[str, int, str, None]]]:
        """The files that are not known, in order; and findings on those that changed since."""
        empty = self._spark.createDataFrame(self._empty, "file string, length bigint, file_path string")
        listed = self._files.select(self._name().alias("file"), "length", "_metadata.file_path").union(empty)
        before = known.select("file", F.col("length").alias("before"))
        rows = listed.join(before, "file", "left").where("before IS NULL OR before <> length").orderBy("file").collect()
        altered = [
            (row.file, 0, _ALTERED.format(before=row.before, now=row.length), None)
            for row in rows
            if row.before is not None
        ]
        return [_File(row.file, row.length, row.file_path) for row in rows if row.before is None], altered

    def read(self, files: list[_File]) -> DataFrame:
        """Read these files, and no others, into what they hold: `of`, as `runbook.scorecard.rows.FILE`."""
        whole = [file.address for file in files if 0 < file.length <= LARGEST]
        unread = [(file.place, file.length, None) for file in files if not 0 < file.length <= LARGEST]
        contents = self._spark.createDataFrame(unread, "file string, length bigint, content binary")
        if whole:
            # The condition on the file's own address leaves others out before they are opened.
            chosen = self._files.where(F.col("_metadata.file_path").isin(whole))
            contents = chosen.select(self._name().alias("file"), "length", "content").union(contents)
        # Made directly: the decorator for it wants pandas, which nothing here uses.
        read = UserDefinedFunction(rows_of_files, FILE, evalType=PythonEvalType.SQL_SCALAR_ARROW_ITER_UDF)
        return contents.select(read("file", "length", "content").alias("of"))

    def _name(self) -> Column:
        return F.expr(f"substring(path, {len(self._root) + 2})")


def _rounds(by_week: dict[str, list[_File]]) -> Iterator[dict[str, list[_File]]]:
    some: dict[str, list[_File]] = {}
    size = 0
    for week in sorted(by_week):
        some[week] = by_week[week]
        size += sum(file.length for file in by_week[week])
        if size >= _ROUND:
            yield some
            some, size = {}, 0
    if some:
        yield some


def _write_segments(rows: DataFrame, weeks: Weeks, files: dict[str, list[_File]]) -> None:
    # Kept on disk, where it was computed: four tables are written of what is read once.
    rows = rows.localCheckpoint(storageLevel=StorageLevel.DISK_ONLY)
    tables = {
        name: rows.select("of.week", F.explode(f"of.{name}").alias("one")).select("week", "one.*") for name in TABLES
    }
    tables["results"] = _marked(tables["results"], tables["runs"])
    names = {week: name_of(SEGMENT, (f"{file.place} {file.length}" for file in those)) for week, those in files.items()}
    weeks.write(tables, _ORDER, names)
    rows.unpersist()


def _marked(results: DataFrame, runs: DataFrame) -> DataFrame:
    """Say of each result whether its run is older than the newest one of its runbook, week and segment.

    Such a run decides no state: its results need not be read in full for it, and stand at the end.
    """
    newest = F.max(F.struct("started", "run"))["run"].alias("run")
    of_runbook = runs.withColumn("runbook", F.explode("runbooks"))
    deciding = of_runbook.groupBy("week", "environment", "runbook", "scored").agg(newest)
    once = deciding.select("environment", "run", F.lit(False).alias("older")).distinct()  # noqa: FBT003
    marked = results.join(F.broadcast(once), ["environment", "run"], "left")
    return marked.withColumn("older", F.coalesce("older", F.lit(True)))  # noqa: FBT003

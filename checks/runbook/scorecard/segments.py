"""What a store's `weeks` hold: segments (new evidence of one week, compacted), and the summary of each week.

    WEEKS/2026-W47/v2-<name>/{sources,runs,results,aside}.parquet, manifest.json
    WEEKS/2026-W47/summary-v2-<name>/changes.parquet, manifest.json

Both are named by what they were made of, and exist once their manifest does. All of it may be deleted: it is made
again.
"""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping

import msgspec
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812 - as all of Spark's own examples call it
from pyspark.sql.types import StructType

from runbook.model.errors import UsageError
from runbook.scorecard.hadoop import HadoopFolder, as_literal

SEGMENT = "v2-"
SUMMARY = "summary-v2-"
_MANIFEST = "manifest.json"


class Weeks:
    """The folder of the weeks.

    Attributes:
        spark: the session it is read and written with.
    """

    def __init__(self, spark: SparkSession, address: str) -> None:
        self.spark = spark
        self._folder = HadoopFolder(spark, address)
        self._tables: dict[tuple[str, str], set[str]] = {}
        self._look()

    def names(self, week: str, kind: str) -> list[str]:
        """The finished things of one kind (SEGMENT, SUMMARY) in a week."""
        return sorted(name for of, name in self._tables if of == week and name.startswith(kind))

    def weeks(self) -> list[str]:
        """The weeks that hold a segment."""
        return sorted({week for week, name in self._tables if name.startswith(SEGMENT)})

    def read(self, table: str, schema: StructType, kind: str, weeks: Iterable[str]) -> DataFrame:
        """Read one table of everything of a kind in those weeks."""
        paths = self._paths(table, kind, weeks)
        return self.spark.read.schema(schema).parquet(*paths) if paths else self.spark.createDataFrame([], schema)

    def contents(self, table: str, kind: str, weeks: Iterable[str]) -> DataFrame:
        """Read the files of one table as they are: `week`, and in `files` the bytes of each of a kind in that week."""
        paths = self._paths(table, kind, weeks)
        if not paths:
            return self.spark.createDataFrame([], "week string, files array<binary>")
        read = self.spark.read.format("binaryFile").load(paths)
        week = F.element_at(F.split("path", "/"), -3).alias("week")
        in_order = F.sort_array(F.collect_list(F.struct("path", "content")))
        return read.groupBy(week).agg(in_order.alias("each")).select("week", F.col("each.content").alias("files"))

    def clear(self) -> None:
        """Remove what a job that was stopped left unfinished."""
        for name in self._folder.names(2):
            week, _, one = name.partition("/")
            if (week, one) not in self._tables and one.startswith((SEGMENT, SUMMARY)):
                self._folder.delete(name)

    def write(self, week: str, name: str, tables: Mapping[str, bytes]) -> None:
        """Write tables, each the content of a Parquet file; the manifest comes last.

        Raises:
            UsageError: another job removed some of it meanwhile: a manifest without them would hide what they hold.
        """
        for table, content in tables.items():
            self._folder.fill(f"{week}/{name}/{table}.parquet", content)
        manifest = {"format": 1, "week": week, "tables": sorted(tables)}
        self._folder.write(f"{week}/{name}/{_MANIFEST}", msgspec.json.encode(manifest, order="deterministic") + b"\n")
        if gone := [table for table in tables if not self._folder.has(f"{week}/{name}/{table}.parquet")]:
            self._folder.delete(f"{week}/{name}")
            raise UsageError(
                f"{', '.join(gone)} of week {week} went while it was written: another scorecard job works on "
                f"{self._folder.root}. Run one at a time; the next one makes all of it"
            )
        self._tables[week, name] = {_MANIFEST, *(f"{table}.parquet" for table in tables)}

    def delete(self, week: str, name: str) -> None:
        """Delete something that was replaced."""
        self._folder.delete(f"{week}/{name}")
        self._tables.pop((week, name), None)

    def _paths(self, table: str, kind: str, weeks: Iterable[str]) -> list[str]:
        wanted = set(weeks)
        return [
            as_literal(self._folder.at(f"{week}/{name}/{table}.parquet"))
            for (week, name), tables in sorted(self._tables.items())
            if week in wanted and name.startswith(kind) and f"{table}.parquet" in tables
        ]

    def _look(self) -> None:
        files: dict[tuple[str, str], set[str]] = defaultdict(set)
        for path in self._folder.names(3):
            week, name, file = path.split("/")
            files[week, name].add(file)
        self._tables = {of: names for of, names in files.items() if _MANIFEST in names}


def name_of(kind: str, sources: Iterable[str]) -> str:
    """The name of something made of these sources."""
    return kind + hashlib.sha256("\n".join(sorted(sources)).encode()).hexdigest()[:16]

"""Compact new evidence: files that no segment names are read, checked and written as one segment of each week."""

import os
from collections import defaultdict
from collections.abc import Callable, Iterator
from itertools import starmap
from typing import NamedTuple

import pyarrow as pa
from msgspec import Struct
from pyspark import StorageLevel
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812 - as all of Spark's own examples call it

from runbook.engine.evidence import LARGEST
from runbook.scorecard.due import Finding
from runbook.scorecard.hadoop import Folder, as_literal
from runbook.scorecard.rows import (
    FACTS,
    TABLES,
    VERDICTS,
    facts_of_files,
    schema_of,
    schema_of_files,
    verdicts_of_files,
    week_of,
)
from runbook.scorecard.segments import SEGMENT, Weeks, name_of
from runbook.scorecard.spark import by_python, over_files

_ALTERED = (
    "it had {before} bytes when it was compacted, and has {now} now: evidence must not change. "
    "What it held then is used"
)

_CONFUSING = frozenset(":[]{}*?\\")
_LINK = "a link, which no run leaves, and which is not followed: it could lead to any file"
_UNNAMED = "no run has such a name, and the file system of Spark can't be asked for it: not read"

_ROUND = 2 * 2**30
"""Bytes of evidence read before segments are written: a job that is stopped loses no more, and disk use is bounded."""

_PARTITIONS = 8
_ORDER = {table: tuple(columns) for table, columns in TABLES.items()}


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
        altered: files whose length is not the one they were compacted with, and those that can't be read for their
            name, as rows of `aside`.
    """

    new_files: int
    segments: int
    altered: list[Finding]


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
        with over_files(spark, _PARTITIONS):
            _write_segments(found, weeks, some)
        done += sum(map(len, some.values()))
    return Compacted(len(fresh), len(by_week), altered)


class _Found:
    """The files of a store; listing them reads none."""

    def __init__(self, spark: SparkSession, store: str) -> None:
        self._spark = spark
        self._root = Folder(spark, store).root
        self._reader = spark.read.format("binaryFile").option("recursiveFileLookup", "true")
        self._links: set[str] = set()
        self._listed = sorted(self._far(store) if "://" in store else self._near(store))

    def against(self, known: DataFrame) -> tuple[list[_File], list[Finding]]:
        """The files that are not known, in order; and findings on those that changed since, or can't be named."""
        sources = known.select("file", "length").toArrow()
        before = dict(zip(sources["file"].to_pylist(), sources["length"].to_pylist(), strict=True))
        fresh = [file for file in self._listed if file.place not in before]
        findings: list[Finding] = [
            (file.place, 0, _ALTERED.format(before=was, now=file.length), None)
            for file in self._listed
            if (was := before.get(file.place, file.length)) != file.length
        ]
        findings += [(file.place, 0, _UNNAMED, None) for file in fresh if _CONFUSING & set(file.place)]
        findings += [(place, 0, _LINK, None) for place in sorted(self._links)]
        return [file for file in fresh if not _CONFUSING & set(file.place)], findings

    def contents(self, files: list[_File]) -> DataFrame:
        """These files, and no others: `file`, `length`, and the `content` of those that are no longer than a run's."""
        whole = [as_literal(file.address) for file in files if 0 < file.length <= LARGEST]
        unread = [(file.place, file.length, None) for file in files if not 0 < file.length <= LARGEST]
        contents = self._spark.createDataFrame(unread, "file string, length bigint, content binary")
        if whole:
            contents = self._reader.load(whole).select(self._place(), "length", "content").union(contents)
        return contents

    def _near(self, store: str) -> Iterator[_File]:
        """List a local folder: at once, where Spark would look at its folders one by one."""
        for folder, folders, files in os.walk(f"{store}/runs"):
            for name in (*folders, *files):
                address = os.path.join(folder, name)  # noqa: PTH118 - a path object for each takes three times as long
                place = address.removeprefix(f"{store}/")
                if not name.endswith(".jsonl"):
                    continue
                if os.path.islink(address):  # noqa: PTH114 - as above
                    self._links.add(place)
                elif name in files and os.path.isfile(address):  # noqa: PTH113 - as above
                    yield _File(place, os.path.getsize(address), address)  # noqa: PTH202 - as above

    def _far(self, store: str) -> Iterator[_File]:
        """List a folder on a file system of Hadoop's. Spark passes over empty files without a word."""
        files = self._reader.option("pathGlobFilter", "*.jsonl").load(as_literal(store) + "/runs")
        listed = files.select(self._place(), "length", F.col("path").alias("address")).toArrow()
        return starmap(_File, zip(*(listed[name].to_pylist() for name in listed.column_names), strict=True))

    def _place(self) -> Column:
        return F.expr(f"substring(path, {len(self._root) + 2})").alias("file")


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


def _write_segments(found: _Found, weeks: Weeks, files: dict[str, list[_File]]) -> None:
    # Verdicts go straight from Python to their table; reading a file once more is cheaper than keeping them between.
    # The rest is small, and kept on disk, where it was computed: three tables are written of what is read once.
    contents = found.contents([file for those in files.values() for file in those])
    verdicts = _read(contents, verdicts_of_files, VERDICTS)
    facts = _read(contents, facts_of_files, FACTS).localCheckpoint(storageLevel=StorageLevel.DISK_ONLY)
    tables = {
        name: of.select("of.week", F.explode(f"of.{name}").alias("one")).select("week", "one.*")
        for of, names in ((verdicts, VERDICTS), (facts, FACTS))
        for name in names
    }
    names = {week: name_of(SEGMENT, (f"{file.place} {file.length}" for file in those)) for week, those in files.items()}
    weeks.write(tables, _ORDER, names)
    facts.unpersist()


def _read(contents: DataFrame, into: Callable[..., Iterator[pa.Array]], tables: tuple[str, ...]) -> DataFrame:
    """Read files into tables that they hold: `of`, as `schema_of_files` says."""
    read = by_python(into, schema_of_files(tables))
    return contents.select(read("file", "length", "content").alias("of"))

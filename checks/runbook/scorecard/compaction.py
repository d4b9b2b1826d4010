"""Compact new evidence: files that no segment names are read, checked and written as segments of their weeks."""

import os
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from itertools import starmap
from typing import NamedTuple

from msgspec import Struct
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812 - as all of Spark's own examples call it
from pyspark.sql.pandas.types import from_arrow_type

from runbook.evidence.reading import LARGEST
from runbook.evidence.store_layout import strange
from runbook.judge.summary import counted
from runbook.scorecard.due import Finding
from runbook.scorecard.hadoop import HadoopFolder, as_literal
from runbook.scorecard.segment_rows import segments_of_files, week_of
from runbook.scorecard.segment_schema import FILE, SEGMENTS, schema_of
from runbook.scorecard.segments import SEGMENT, Weeks, name_of
from runbook.scorecard.spark import by_python, over_files

_ALTERED = (
    "it had {before} bytes when it was compacted, and has {now} now: evidence must not change. "
    "What it held then is used"
)

_CONFUSING = frozenset(":[]{}*?\\")
_UNNAMED = "no run has such a name, and the file system of Spark can't be asked for it: not read"

_ROUND = 2 * 2**30
"""Bytes of evidence read before segments are written: a job that is stopped loses no more."""

_LONGEST = 64 * 2**20
"""Bytes of evidence in a segment, or one file: what a Python worker holds at a time, some five times as large. Our
judgement."""

_PARTITIONS = 8


class _File(NamedTuple):
    """A file of a store: its place under it, its length in bytes, and how Spark calls it."""

    place: str
    length: int
    address: str = ""


class _Piece(NamedTuple):
    """New files that become one segment."""

    week: str
    files: list[_File]


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
    found = _StoreFiles(spark, store)
    known = weeks.read("sources", schema_of("sources"), SEGMENT, weeks.weeks())
    fresh, altered = found.against(known)
    pieces = list(_pieces(fresh))
    done = 0
    for some in _rounds(pieces):
        files = sum(len(piece.files) for piece in some)
        before = f", {done} of {len(fresh)} are read" if done else ""
        progress(
            f"reading {counted(files, 'new file')} of {counted(len({piece.week for piece in some}), 'week')}{before}"
        )
        _write_segments(found, weeks, some)
        done += files
    return Compacted(len(fresh), len(pieces), altered)


class _StoreFiles:
    """The files of a store; listing them reads none."""

    def __init__(self, spark: SparkSession, store: str) -> None:
        self._spark = spark
        self._root = HadoopFolder(spark, store).root
        self._reader = spark.read.format("binaryFile").option("recursiveFileLookup", "true")
        self._strange: dict[str, str] = {}
        self._far_away = "://" in store
        self._listed = sorted(self._far(store) if self._far_away else self._near(store))

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
        findings += [(place, 0, reason, None) for place, reason in sorted(self._strange.items())]
        return [file for file in fresh if not _CONFUSING & set(file.place)], findings

    def contents(self, pieces: list[_Piece]) -> DataFrame:
        """What becomes a segment: `piece`, its place in the list, and `files`, records as `FILE`."""
        read = [
            (number, file.place, file.length, file.address if 0 < file.length <= LARGEST else None)
            for number, piece in enumerate(pieces)
            for file in piece.files
        ]
        unread = F.lit(None).cast("binary").alias("content")
        names = ("piece", "file", "length", "address")
        files = self._spark.createDataFrame(read, "piece int, file string, length bigint, address string")
        whole = files.select(*names, unread)
        addresses = [as_literal(address) for *_, address in read if address]
        if self._far_away and addresses:  # where Python workers can't read, Spark does
            contents = self._reader.load(addresses).select(self._place(), "content")
            held = contents.join(F.broadcast(files.where("address IS NOT NULL")), "file").select(*names, "content")
            whole = whole.where("address IS NULL").union(held)
        each = F.struct(*(field.name for field in FILE))
        return whole.groupBy("piece").agg(F.sort_array(F.collect_list(each)).alias("files"))

    def _near(self, store: str) -> Iterator[_File]:
        """List a local folder: at once, where Spark would look at its folders one by one."""
        for folder, folders, files in os.walk(f"{store}/runs"):
            for name in (*folders, *files):
                address = os.path.join(folder, name)  # noqa: PTH118 - a path object for each takes three times as long
                place = address.removeprefix(f"{store}/")
                if not name.endswith(".jsonl"):
                    continue
                about = os.lstat(address)
                if reason := strange(about.st_mode):
                    self._strange[place] = reason
                else:
                    yield _File(place, about.st_size, address)

    def _far(self, store: str) -> Iterator[_File]:
        """List a folder on a file system of Hadoop's. Spark passes over empty files without a word."""
        files = self._reader.option("pathGlobFilter", "*.jsonl").load(as_literal(store) + "/runs")
        listed = files.select(self._place(), "length", F.col("path").alias("address")).toArrow()
        return starmap(_File, zip(*(listed[name].to_pylist() for name in listed.column_names), strict=True))

    def _place(self) -> Column:
        return F.expr(f"substring(path, {len(self._root) + 2})").alias("file")


def _pieces(files: Iterable[_File]) -> Iterator[_Piece]:
    """Cut new files into what becomes a segment each: of one week, and of bounded length."""
    by_week: defaultdict[str, list[_File]] = defaultdict(list)
    for file in files:
        by_week[week_of(file.place)].append(file)
    for week in sorted(by_week):
        some: list[_File] = []
        size = 0
        for file in by_week[week]:
            if some and size + file.length > _LONGEST:
                yield _Piece(week, some)
                some, size = [], 0
            some.append(file)
            size += file.length
        yield _Piece(week, some)


def _rounds(pieces: Iterable[_Piece]) -> Iterator[list[_Piece]]:
    some: list[_Piece] = []
    for piece in pieces:
        some.append(piece)
        if sum(file.length for piece in some for file in piece.files) >= _ROUND:
            yield some
            some = []
    if some:
        yield some


def _write_segments(found: _StoreFiles, weeks: Weeks, pieces: list[_Piece]) -> None:
    length = sum(file.length for piece in pieces for file in piece.files)
    with over_files(weeks.spark, max(_PARTITIONS, length // _LONGEST)):
        read = by_python(segments_of_files, from_arrow_type(SEGMENTS))
        made = found.contents(pieces).select("piece", read("files").alias("tables")).collect()
    for row in made:
        piece = pieces[row.piece]
        tables = {name: bytes(content) for name, content in row.tables.asDict().items() if content is not None}
        weeks.write(piece.week, name_of(SEGMENT, (f"{file.place} {file.length}" for file in piece.files)), tables)

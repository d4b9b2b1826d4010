"""Read the evidence of runs: every line of every file, what it says, and what is wrong with it."""

import re
from pathlib import Path

from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812 - as all of Spark's own examples call it
from pyspark.sql.types import StringType

from runbook.engine.block import SEVERITIES
from runbook.engine.result import Outcome
from runbook.engine.store import VERSION
from runbook.scorecard.method import surely
from runbook.scorecard.results_table import BROKEN, RECORD, REQUIRED

LARGEST = 64 * 2**20
"""Bytes; a file is read whole. A run leaves a few kilobytes for each check, so that this is no run's evidence."""

_TRIGGERS = ("scheduled", "manual", "incident", "ci")
_MOMENT = r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$"

# A canonical line begins with its chain value: {"chain":"<64 hex digits>","…
_LINK_AT, _LINK_LENGTH = len('{"chain":"') + 1, 64
_BODY_AT = _LINK_AT + _LINK_LENGTH + len('",')


def read(spark: SparkSession, store: str) -> DataFrame:
    """Read every file of a store.

    Args:
        spark: the session.
        store: the folder, or the address of one on any file system that Hadoop knows.

    Returns:
        A row per line, and one with line 0 for a finding about a whole file: `file` (under the store), `line`,
        `reason` (what is wrong with it; null if nothing is), `text` where there is a reason, `record`, and `started`,
        the start of its run.
    """
    folder = re.sub(r"([\[\]{}*?\\])", r"\\\1", store.rstrip("/")) + "/runs"
    files = (
        spark.read.format("binaryFile")
        .option("recursiveFileLookup", "true")
        .option("pathGlobFilter", "*.jsonl")
        .load(folder)
        .withColumn("file", F.substring_index("path", "/", -4))
    )
    read_whole = files.where(F.col("length") <= LARGEST)
    lines = _lines(read_whole).withColumn(
        "record", F.from_json("text", RECORD, {"mode": "PERMISSIVE", "columnNameOfCorruptRecord": BROKEN})
    )
    judged = lines.withColumn("started", F.try_to_timestamp("record.started_at")).withColumn(
        "reason", F.coalesce("about_file", _reason())
    )
    too_large = _about_file(
        files.where(F.col("length") > LARGEST),
        F.format_string("the file has %d bytes, more than any run leaves: not read", "length"),
    )
    empty = _about_file(_empty_files(spark, store), F.lit("the file is empty"))
    found = judged.withColumn("text", F.when(F.col("reason").isNotNull(), F.col("text")))
    return too_large.unionByName(empty).unionByName(found.select(too_large.columns))


def _about_file(files: DataFrame, reason: Column) -> DataFrame:
    nothing = F.lit(None)
    return files.select(
        "file",
        F.lit(0).alias("line"),
        nothing.cast("string").alias("text"),
        reason.alias("reason"),
        nothing.cast(RECORD).alias("record"),
        nothing.cast("timestamp").alias("started"),
    )


def _empty_files(spark: SparkSession, store: str) -> DataFrame:
    """Spark passes over empty files without a word; of a store that is no local folder they are not known."""
    files = [] if "://" in store else sorted(Path(store).glob("runs/*/*/*.jsonl"))
    names = [(str(file.relative_to(store)),) for file in files if file.stat().st_size == 0]
    return spark.createDataFrame(names, "file string")


def _lines(files: DataFrame) -> DataFrame:
    """Cut files into lines, and say of each whether it is the one that was written after the line before it."""
    cut = files.select(
        "file", F.split(F.regexp_replace(F.col("content").cast("string"), r"\n\z", ""), "\n").alias("all")
    )
    last = F.element_at("all", -1)
    whole = (F.get_json_object(last, "$.kind") == "manifest") & (
        F.get_json_object(last, "$.records") == (F.size("all") - 1).cast("string")
    )
    unfinished = F.when(
        ~surely(whole),
        F.format_string("the end is missing: %d lines, and no manifest that counts them", F.size("all")),
    )
    about_line = F.transform("all", lambda text, at: _line(at + 1, text, F.get("all", at - 1), F.lit(None)))
    about_file = F.array(_line(F.lit(0), F.lit(None), F.lit(None), unfinished))
    exploded = cut.select("file", F.explode(F.concat(F.filter(about_file, _has_reason), about_line)).alias("one"))
    return exploded.select("file", "one.*")


def _line(number: Column, text: Column, previous: Column, about_file: Column) -> Column:
    linked = text.substr(_LINK_AT, _LINK_LENGTH) == _link(previous, text)
    return F.struct(
        number.cast("int").alias("line"),
        text.cast("string").alias("text"),
        surely(linked).alias("linked"),
        about_file.cast("string").alias("about_file"),
    )


def _link(previous: Column, text: Column) -> Column:
    """The chain value a line ought to have, as `runbook.engine.store.link` computes it."""
    before = F.coalesce(previous.substr(_LINK_AT, _LINK_LENGTH), F.lit("0" * _LINK_LENGTH))
    body = text.substr(F.lit(_BODY_AT), F.length(text))
    return F.sha2(F.concat(before, F.lit("{"), body).cast("binary"), 256)


def _has_reason(one: Column) -> Column:
    return one["about_file"].isNotNull()


def _reason() -> Column:
    """What is wrong with a line; the first finding is the one given."""
    kind = F.col("record.kind")
    expected = F.col("record.expected")
    folder, file = (F.element_at(F.split("file", "/"), at) for at in (-3, -1))
    unusable = expected.isNotNull() & F.exists(expected, _unusable)
    findings = [
        F.when(F.trim("text") == "", F.lit("the line is empty")),
        F.when(
            F.col("record").isNull() | F.col(f"record.{BROKEN}").isNotNull(),
            F.lit("it is no JSON object, or a field in it is of another type"),
        ),
        _not_among("kind", tuple(REQUIRED)),
        *[F.when(kind == name, _lacks(fields)) for name, fields in REQUIRED.items()],
        F.when(
            (kind == "run") & (F.col("record.version") > VERSION),
            F.format_string(
                f"it is of format %d, and this tool reads up to {VERSION}: renew the tool", "record.version"
            ),
        ),
        F.when(
            (kind == "run") & (~F.col("record.started_at").rlike(_MOMENT) | F.col("started").isNull()),
            F.format_string("started_at is %s, which is no UTC time", "record.started_at"),
        ),
        F.when(kind == "run", _not_among("trigger", _TRIGGERS)),
        F.when((kind == "run") & unusable, F.lit("an expected check lacks its name, runbook, severity or digest")),
        F.when(kind == "result", _not_among("outcome", tuple(Outcome))),
        F.when(kind == "result", _not_among("severity", SEVERITIES)),
        F.when(F.col("record.environment") != folder, F.lit("its environment is not the one it is filed under")),
        F.when(F.concat("record.run", F.lit(".jsonl")) != file, F.lit("its run is not the one it is filed under")),
        F.when(
            ~F.col("linked"), F.lit("it is not what was written there: changed, or a line before it dropped or moved")
        ),
    ]
    return F.coalesce(*findings)


def _lacks(fields: tuple[str, ...]) -> Column:
    names = F.array_join(F.array(*[F.when(_is_absent(name), F.lit(name)) for name in fields]), ", ")
    return F.when(names != "", F.concat(F.lit("it lacks "), names))


def _is_absent(field: str) -> Column:
    value = F.col(f"record.{field}")
    return F.coalesce(value, F.lit("")) == "" if RECORD[field].dataType == StringType() else value.isNull()


def _not_among(field: str, values: tuple[str, ...]) -> Column:
    column = F.col(f"record.{field}")
    known = ", ".join(values)
    return F.when(
        ~surely(column.isin(*values)),
        F.concat(F.lit(f"{field} is "), F.coalesce(column, F.lit("not given")), F.lit(f", not one of {known}")),
    )


def _unusable(expected: Column) -> Column:
    has_all = F.concat(expected["check"], expected["runbook"], expected["check_digest"]).isNotNull()
    return ~(has_all & surely(expected["severity"].isin(*SEVERITIES)))

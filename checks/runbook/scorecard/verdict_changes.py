"""Where verdicts changed within a week: read off its segments, file by file, by Spark's Python workers.

A segment is sorted by subject and moment, so that what changed differs from the row above it: of ten million verdicts
nothing has to be grouped, joined or sorted.
"""

import datetime as dt
from collections.abc import Iterable, Iterator
from functools import reduce

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from runbook.scorecard.method import SUBJECT
from runbook.scorecard.segment_rows import as_parquet
from runbook.scorecard.segment_schema import KEYS

_READ = [*KEYS["results"], "scored", "outcome"]
_FEW_WORDS = [*SUBJECT, "run", "outcome"]  # each of them many times over: compared as numbers

COLUMNS = {
    **dict.fromkeys(SUBJECT, pa.string()),
    "at": pa.timestamp("us", tz="UTC"),
    "run": pa.string(),
    "outcome": pa.string(),
}
"""Of a row for each known verdict that differs from the last known one before it in its week, or is the first."""


def summaries(batches: Iterable[pa.Array]) -> Iterator[pa.Array]:
    """Turn weeks, a few at a time, into their summaries.

    Args:
        batches: for each week a list of what its segments' files of results hold.

    Returns:
        For each week a Parquet file with COLUMNS.
    """
    for weeks in batches:
        yield pa.array([as_parquet(changes(files)) for files in weeks.to_pylist()], pa.binary())


def changes(files: list[bytes], until: dt.datetime | None = None) -> pa.Table:
    """The verdicts of one week that differ from the last known one before them, or are the first; as COLUMNS.

    Args:
        files: the results of each segment, as Parquet.
        until: later runs are left out.
    """
    tables = [pq.read_table(pa.BufferReader(file), columns=_READ, read_dictionary=_FEW_WORDS) for file in files]
    if not tables:
        return pa.schema(list(COLUMNS.items())).empty_table()
    known = pa.concat_tables([_known(table, until) for table in tables])
    if len(tables) > 1:  # one is in order already
        plain = known.cast(pa.schema([(field.name, _plain(field.type)) for field in known.schema]))
        known = plain.sort_by([(name, "ascending") for name in KEYS["results"]])
    found = known.filter(_differ_from_above(known)).rename_columns({"started": "at"})
    return found.select(list(COLUMNS)).cast(pa.schema(list(COLUMNS.items())))


def _known(table: pa.Table, until: dt.datetime | None) -> pa.Table:
    started = table["started"].cast(COLUMNS["at"])  # segments that Spark wrote have nanoseconds, and no zone
    table = table.set_column(table.schema.get_field_index("started"), "started", started)
    wanted = pc.and_(table["scored"], pc.not_equal(table["outcome"], "unknown"))
    if until is not None:
        wanted = pc.and_(wanted, pc.less_equal(started, pa.scalar(until, COLUMNS["at"])))
    return table.filter(wanted)


def _differ_from_above(table: pa.Table) -> pa.Array:
    """Whether a row is of another subject than the one above it, or has another outcome."""
    if not table.num_rows:
        return pa.array([], pa.bool_())
    columns = [_numbered(table[name]) for name in (*SUBJECT, "outcome")]
    differ = reduce(pc.or_, [pc.not_equal(column.slice(1), column.slice(0, len(column) - 1)) for column in columns])
    return pa.concat_arrays([pa.array([True]), differ])


def _numbered(column: pa.ChunkedArray) -> pa.Array:
    """A number for each word, which no other word has."""
    numbered = column if pa.types.is_dictionary(column.type) else column.dictionary_encode()
    return numbered.unify_dictionaries().combine_chunks().indices


def _plain(kind: pa.DataType) -> pa.DataType:
    return kind.value_type if pa.types.is_dictionary(kind) else kind

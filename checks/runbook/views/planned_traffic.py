"""Topics beside what their owners planned: records a day and bytes of a record, by the records that are there."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Annotated, Any, Final, NamedTuple

from runbook.model import moment
from runbook.model.fact import Fact, Observed
from runbook.model.parameter import Parameter
from runbook.model.quantity import Bytes
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View

_DAY: Final = 86_400.0  # seconds
_HOUR: Final = 3600.0
_WORDS: Final = ("records_per_day", "record_bytes")
_OFFSET: Final = ("topic", "partition", "leader", "records", "oldest", "newest")


class PlannedTraffic(Row):
    """A topic that a line is about."""

    topic: Annotated[str, Cell("Its name.", key=True, entity="topic")]
    records_per_day: Annotated[
        int | None,
        Cell("Records a day, from the oldest that is there to the newest.", unit="records per day", moves=True),
    ]
    record_bytes: Annotated[Bytes | None, Cell("Bytes of a record on disk, on average.", moves=True)]
    planned_records: Annotated[int, Cell("records_per_day= of the line; 0 if it says none.", unit="records per day")]
    planned_bytes: Annotated[Bytes, Cell("record_bytes= of the line; 0 if it says none.")]
    mistakes: Annotated[list[str], Cell("Words of the line that mean nothing here.")]


VIEW = View(
    help="One row per topic that a line of the plan is about and that holds an hour of records.",
    row=PlannedTraffic,
    leaves_out="topics without a plan, topics with less than an hour of records, and compacted ones",
    inputs={
        "topic": Input("kafka_topic", columns=("name", "cleanup_policy")),
        "offset": Input("kafka_partition_offset", columns=_OFFSET, needs=("leader",)),
        "size": Input("kafka_replica_size", columns=("topic", "partition", "broker", "size"), needs=("size",)),
    },
    parameters={
        "planned": Parameter(
            "list[string]", [], help="lines as in: orders* records_per_day=10000000 record_bytes=6000"
        ),
    },
)


class _Line(NamedTuple):
    pattern: str
    said: Mapping[str, int]
    mistakes: list[str]


def compute(*, topic: Fact, offset: Fact, size: Fact, planned: Sequence[str] = []) -> Observed:
    """Lay the plan beside what the partitions of each topic hold; a topic of which one part is unknown is unknown."""
    lines = [_read(line) for line in planned if line.strip()]
    held = {(row["topic"], row["partition"], row["broker"]): row["size"] for row in size.rows()}
    parts: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in offset.rows(*_OFFSET):
        parts[row["topic"]].append(row)
    rows = []
    for row in topic.rows("name", "cleanup_policy"):
        line = next((one for one in lines if fnmatchcase(row["name"], one.pattern)), None)
        if line is None or (row["cleanup_policy"] is not None and "compact" in row["cleanup_policy"]):
            continue
        mine = parts[row["name"]] if row["cleanup_policy"] is not None else []
        measured = _measured(mine, [held.get((part["topic"], part["partition"], part["leader"])) for part in mine])
        if measured is None and not line.mistakes:
            continue
        rows.append(
            PlannedTraffic(
                topic=row["name"],
                records_per_day=measured.records if measured else None,
                record_bytes=measured.bytes if measured else None,
                # not made up: the line is there, and 0 is declared as its saying none
                planned_records=line.said.get("records_per_day", 0),
                # not made up: the same
                planned_bytes=Bytes(line.said.get("record_bytes", 0)),
                mistakes=line.mistakes,
            )
        )
    return Observed(rows=rows)


def _read(line: str) -> _Line:
    pattern, *words = line.split()
    pairs = [word.partition("=")[::2] for word in words]
    said = {name: int(value) for name, value in pairs if name in _WORDS and value.isdecimal()}
    return _Line(pattern, said, [word for word, (name, _) in zip(words, pairs, strict=True) if name not in said])


class _Measured(NamedTuple):
    """What a topic carries; unknown where a part of it is."""

    records: int | None
    bytes: Bytes | None


def _measured(parts: Iterable[Mapping[str, Any]], sizes: Sequence[int | None]) -> _Measured | None:
    """What the partitions of a topic carry; None where their records span less than an hour."""
    listed = list(parts)
    counts = [part["records"] for part in listed]
    if not listed or None in counts:
        return _Measured(None, None)
    full = [part for part in listed if part["records"]]
    if not full:
        return None
    if any(part["oldest"] is None or part["newest"] is None for part in full):
        return _Measured(None, None)
    begin = min(moment.read(part["oldest"]).timestamp() for part in full)
    span = max(moment.read(part["newest"]).timestamp() for part in full) - begin
    if span < _HOUR:
        return None
    records = sum(counts)
    known = [size for size in sizes if size is not None]
    each = Bytes(round(sum(known) / records)) if len(known) == len(sizes) else None
    return _Measured(round(records / span * _DAY), each)

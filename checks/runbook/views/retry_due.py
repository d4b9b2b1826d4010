"""Records that wait to be tried again: whether they say when, and whether that is still to come for who reads them."""

import datetime as dt
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Annotated

from runbook.model import moment
from runbook.model.fact import Fact, Observed
from runbook.model.parameter import Parameter
from runbook.model.quantity import Moment, Offset, PartitionNumber
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View

_SECONDS = 10**11
"""Numbers below are seconds since 1970, those above milliseconds: as seconds it is the year 5138, as ms 1973."""


class RetryDue(Row):
    """A record."""

    topic: Annotated[str, Cell("The topic.", key=True, entity="topic")]
    partition: Annotated[PartitionNumber, Cell("The partition.", key=True)]
    offset: Annotated[Offset, Cell("Its offset.", key=True)]
    named: Annotated[bool, Cell("Whether a header says when it is due.")]
    due: Annotated[Moment | None, Cell("When that is; unknown if there is no such header, or it holds no time.")]
    waiting: Annotated[
        bool | None, Cell("Whether a group has not read it yet; true too if no group reads the partition.")
    ]


VIEW = View(
    help="One row per record.",
    row=RetryDue,
    inputs={
        "record": Input(
            "kafka_record", columns=("topic", "partition", "offset", "headers", "header"), needs=("headers", "header")
        ),
        "offset": Input("kafka_group_offset", columns=("topic", "partition", "committed")),
    },
    version=2,
    parameters={
        "headers": Parameter(
            type="list[string]", help="headers that may say it: a time by RFC 3339, or a number since 1970, in s or ms"
        )
    },
)


def compute(*, record: Fact, offset: Fact, headers: Sequence[str] | None = None) -> Observed:
    """Work it out from kafka_record, with the values of these headers, and kafka_group_offset."""
    committed: dict[tuple[str, int], list[int | None]] = defaultdict(list)
    for row in offset.rows():
        committed[row["topic"], row["partition"]].append(row["committed"])
    rows = []
    for waiting_record in record.rows():
        partition = (waiting_record["topic"], waiting_record["partition"])
        waiting = _waiting(waiting_record["offset"], committed.get(partition, ()), whole=offset.complete)
        named = any(name in waiting_record["headers"] for name in headers or ())
        rows.append(
            RetryDue(
                topic=waiting_record["topic"],
                partition=waiting_record["partition"],
                offset=waiting_record["offset"],
                named=named,
                due=_due(waiting_record["header"], headers or ()),
                waiting=waiting,
            )
        )
    return Observed(rows=rows)


def _waiting(offset: int, places: Sequence[int | None], *, whole: bool) -> bool | None:
    """Whether one of the groups that stand at these places has not read it yet, or none reads at all."""
    if not places:
        return True if whole else None
    known = [place for place in places if place is not None]
    if any(offset >= place for place in known):
        return True
    return False if len(known) == len(places) else None


def _due(values: Mapping[str, str], names: Sequence[str]) -> Moment | None:
    """The first of these headers that holds a time."""
    return next((time for name in names if (time := _time(values.get(name, "")))), None)


def _time(text: str) -> Moment | None:
    try:
        if not text.isdecimal():
            time = moment.read(text)
            return Moment(moment.written(time if time.tzinfo else time.replace(tzinfo=dt.UTC)))
        number = int(text)
        seconds = number if number < _SECONDS else number / 1000
        return Moment(moment.written(dt.datetime.fromtimestamp(seconds, dt.UTC)))
    except (ValueError, OverflowError, OSError):
        return None

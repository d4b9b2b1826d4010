"""How long consumers' batches take, by what their owners have measured, beside the time that they have for one."""

from collections.abc import Sequence
from typing import Annotated

from runbook.model.errors import Misconfigured
from runbook.model.fact import Fact, Gap, Observed
from runbook.model.parameter import Parameter
from runbook.model.quantity import Milliseconds
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View
from runbook.views._client_defaults import LIBRARIES
from runbook.views.consumer_config import InForce, consumers


class BatchTime(Row):
    """A consumer whose work was measured."""

    client: Annotated[str, Cell("Name of the client in the inventory.", key=True)]
    records: Annotated[int | None, Cell("max.poll.records.", unit="records")]
    interval: Annotated[Milliseconds | None, Cell("max.poll.interval.ms.")]
    mean: Annotated[
        float | None,
        Cell("What a full batch takes by the measured mean of a record; 0 if that was not measured.", unit="ms"),
    ]
    worst: Annotated[float, Cell("The longest that was measured from poll to poll; 0 if it was not.", unit="ms")]


VIEW = View(
    help="One row per consumer whose processing time was measured.",
    row=BatchTime,
    inputs={
        "config": Input("client_config", columns=("client", "kind", "setting", "value")),
    },
    parameters={
        "record_ms": Parameter(
            type="list[string]",
            help="milliseconds that a record takes on average, as measured in the application, as in [billing=12.5]",
        ),
        "batch_ms": Parameter(
            type="list[string]",
            help="the longest milliseconds between two polls, time-between-poll-max, as in [billing=90000]",
        ),
        "libraries": LIBRARIES,
    },
)


def compute(
    *,
    config: Fact,
    record_ms: Sequence[str] | None = None,
    batch_ms: Sequence[str] | None = None,
    libraries: Sequence[str] | None = None,
) -> Observed:
    """Work it out from client_config; a client that was measured and has no file is a gap."""
    there = consumers(config, libraries)
    by_record = dict(_read(entry, "record_ms") for entry in record_ms or ())
    by_batch = dict(_read(entry, "batch_ms") for entry in batch_ms or ())
    measured = sorted({*by_record, *by_batch})
    return Observed(
        rows=[
            # not made up: an owner told the time of each batch, and none for records beside
            _row(name, there[name], by_record.get(name, 0.0), by_batch.get(name, 0.0))
            for name in measured
            if name in there
        ],
        gaps=[Gap(f"no file of consumer {name} is known") for name in measured if name not in there],
    )


def _read(entry: str, parameter: str) -> tuple[str, float]:
    client, _, seconds = entry.partition("=")
    try:
        return client.strip(), float(seconds)
    except ValueError:
        raise Misconfigured(f"{parameter}: {entry!r} is no time of a client; write billing=12.5") from None


def _row(client: str, one: InForce, record: float, batch: float) -> BatchTime:
    records = one.value("max.poll.records")
    count = int(records) if records is not None and records.strip().isdecimal() else None
    return BatchTime(
        client=client,
        records=count,
        interval=one.ms("max.poll.interval.ms"),
        mean=0.0 if not record else None if count is None else record * count,
        worst=batch,
    )

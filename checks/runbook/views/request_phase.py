"""Which phase of a kind of request takes longest on each broker, with what tells why."""

from collections.abc import Mapping
from typing import Annotated, Any, Final

from runbook.model.fact import Fact, Observed
from runbook.model.quantity import BrokerId, MillisecondsExact
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View

# The phases that TotalTimeMs is the sum of (RequestChannel.updateRequestMetrics). Throttling comes after the answer.
_COLUMNS: Final = ("queue_p99", "local_p99", "remote_p99", "response_queue_p99", "send_p99")


class RequestPhase(Row):
    """A kind of request that a broker answers."""

    broker: Annotated[BrokerId, Cell("Node id.", key=True)]
    request: Annotated[str, Cell("Kind of request: Produce, FetchConsumer, FetchFollower…", key=True, moves=True)]
    requests: Annotated[int | None, Cell("Answered since the broker started.", unit="requests", moves=True)]
    total_ms: Annotated[MillisecondsExact | None, Cell("TotalTimeMs (p99).", moves=True)]
    phase: Annotated[
        str | None,
        Cell("The phase with the largest p99: queue, local, remote, response_queue or send; empty: all are 0."),
    ]
    phase_ms: Annotated[MillisecondsExact | None, Cell("Its p99.", moves=True)]
    others_ms: Annotated[MillisecondsExact | None, Cell("The sum of the p99 of the other phases.", moves=True)]


VIEW = View(
    help="One row per broker and kind of request: the phase that takes longest.",
    row=RequestPhase,
    inputs={
        "request": Input("broker_request", columns=("broker", "request", "requests", "total_p99", *_COLUMNS)),
    },
)


def compute(*, request: Fact) -> Observed:
    """Compare the phases of broker_request; where one is not known, so is the longest."""
    return Observed(rows=[_row(row) for row in request.rows()])


def _row(row: Mapping[str, Any]) -> RequestPhase:
    phases = {name.removesuffix("_p99"): row[name] for name in _COLUMNS}
    known = None not in phases.values()
    longest = max(phases, key=phases.__getitem__) if known else None
    most = phases[longest] if longest else None
    return RequestPhase(
        broker=row["broker"],
        request=row["request"],
        requests=row["requests"],
        total_ms=row["total_p99"],
        phase="" if most == 0 else longest,
        phase_ms=most,
        others_ms=None if most is None else MillisecondsExact(sum(phases.values()) - most),
    )

"""How quickly each broker answers beside the quickest of all: where all are slow, it is not one broker's fault."""

from typing import Annotated

from runbook.model.fact import Fact, Observed
from runbook.model.quantity import BrokerId, Milliseconds
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View


class BrokerPace(Row):
    """A broker that answers."""

    broker: Annotated[BrokerId, Cell("Node id.", key=True)]
    answering: Annotated[int, Cell("Brokers that answer, itself included.", unit="brokers")]
    quickest_ms: Annotated[
        Milliseconds | None,
        Cell("The longest answer of the broker among those that is the quickest; unknown if it is of one."),
    ]


VIEW = View(
    help="One row per broker that answers: how long the quickest of all took.",
    row=BrokerPace,
    version=2,
    leaves_out="brokers that do not answer",
    inputs={
        "latency": Input(
            "kafka_broker_latency", columns=("broker", "silence", "slowest_ms"), needs=("broker", "silence")
        ),
    },
)


def compute(*, latency: Fact) -> Observed:
    """Work it out over kafka_broker_latency."""
    answering = [row for row in latency.rows("broker", "silence", "slowest_ms") if not row["silence"]]
    took = [row["slowest_ms"] for row in answering]
    quickest = None if None in took else min(took, default=None)
    return Observed(
        rows=[BrokerPace(broker=row["broker"], answering=len(answering), quickest_ms=quickest) for row in answering],
        gaps=latency.gaps,
    )

"""How long each broker takes over small requests that it is asked one after the other."""

from typing import TYPE_CHECKING, Annotated

from runbook.answers.kafka import AnswerTimes, Broker
from runbook.model.errors import TimedOut
from runbook.model.fact import Gap, Observed
from runbook.model.probe import Probe
from runbook.model.quantity import BrokerId, Milliseconds
from runbook.model.row import Cell, Row
from runbook.model.sentence import shown

if TYPE_CHECKING:
    from runbook.connections.kafka import Kafka


class KafkaBrokerLatency(Row):
    """A broker, and how it answers."""

    broker: Annotated[BrokerId, Cell("Node id.", key=True)]
    silence: Annotated[str, Cell("Why its answers were not timed; empty where they were.")]
    answers_ms: Annotated[
        list[Milliseconds] | None,
        Cell(
            "How long each request that it answered took, in their order: to connect, log in and recognise it, to "
            "connect once more, and then each small request.",
            why="silence",
            moves=True,
        ),
    ]
    slowest_ms: Annotated[Milliseconds | None, Cell("The longest of them.", why="silence", moves=True)]


PROBE = Probe(
    connections=("kafka",),
    help="One row per broker that is registered, or that replica lists still name: how long its answers take.",
    row=KafkaBrokerLatency,
    requests=("ApiVersions", "DescribeCluster", "Metadata"),
    rights=("Describe on all topics, to see brokers that replica lists alone still name",),
)


def observe(kafka: "Kafka") -> Observed:
    """Time every broker that answers; a request without an answer is a gap, as it may be lost on the way."""
    times, gaps = kafka.answer_times()
    why = {gap.keys["broker"]: shown(gap.reason) for gap in gaps}
    brokers = kafka.brokers()
    rows = [_row(broker, times.get(broker.id), kafka.greeting(broker), why.get(broker.id, "")) for broker in brokers]
    return Observed(rows=rows, gaps=[gap for b in brokers if b.id in times for gap in _unanswered(b, times[b.id])])


def _row(broker: Broker, times: AnswerTimes | None, greeting: float | None, why: str) -> KafkaBrokerLatency:
    seconds = None if times is None or greeting is None else [greeting, *times.seconds]
    answers = None if seconds is None else [Milliseconds(round(each * 1000)) for each in seconds]
    return KafkaBrokerLatency(
        broker=broker.id, silence=why, answers_ms=answers, slowest_ms=None if answers is None else max(answers)
    )


def _unanswered(broker: Broker, times: AnswerTimes) -> list[Gap]:
    if not times.unanswered:
        return []
    asked = len(times.seconds) + times.unanswered
    return [
        Gap.of(
            TimedOut(f"{broker.label} left {times.unanswered} of {asked} requests unanswered"), {"broker": broker.id}
        )
    ]

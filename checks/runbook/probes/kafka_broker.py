"""The brokers: which there are, in which racks, and which of them answer."""

from typing import Annotated

from runbook.connections.kafka import Kafka
from runbook.engine.errors import CannotLook
from runbook.engine.fact import Gap, Observed
from runbook.engine.probe import Probe
from runbook.engine.quantity import BrokerId, Milliseconds
from runbook.engine.row import Cell, Row


class KafkaBroker(Row):
    """A broker."""

    broker: Annotated[BrokerId, Cell("Node id.", key=True)]
    rack: Annotated[
        str | None, Cell("broker.rack; empty when none is set, unknown when not registered.", entity="rack")
    ]
    host: Annotated[str, Cell("Advertised host; empty when not registered.", entity="host")]
    port: Annotated[int, Cell("Advertised port; -1 when not registered.")]
    fenced: Annotated[
        bool,
        Cell("Kept out of service: registered but fenced (KRaft), or holding replicas without being registered."),
    ]
    answers: Annotated[bool, Cell("Whether the broker itself, and no other, answered requests of ours in its time.")]
    silence: Annotated[str, Cell("Why it does not answer, and whether another one does; empty where it answers.")]
    greeting_ms: Annotated[
        Milliseconds | None,
        Cell("How long it took to connect to it, log in and recognise it; unknown where it does not answer."),
    ]
    in_service: Annotated[
        bool | None,
        Cell(
            "Whether it serves: not fenced, and answering. Unknown where it does not answer us while an active "
            "controller (KRaft) does not fence it: it is cut off from us, or was lost within the last seconds."
        ),
    ]


PROBE = Probe(
    connections=("kafka",),
    help="One row per broker that is registered, or that replica lists still name.",
    row=KafkaBroker,
    requests=("ApiVersions", "DescribeCluster", "DescribeQuorum", "Metadata"),
    rights=(
        "Describe on all topics, to see brokers that replica lists alone still name",
        "Describe on the cluster, to tell one that is cut off from us from one that is down",
    ),
)


def observe(kafka: Kafka) -> Observed:
    """Observe every broker; one that does not answer is a row all the same."""
    brokers = kafka.brokers()
    silences = kafka.silences(brokers)
    vouched = any(error and not b.fenced for b, error in zip(brokers, silences, strict=True)) and _decides(kafka)
    rows = []
    for b, error in zip(brokers, silences, strict=True):
        answers, took = error is None, kafka.greeting(b)
        rows.append(
            KafkaBroker(
                broker=BrokerId(b.id),
                rack=b.rack,
                host=b.host,
                port=b.port,
                fenced=b.fenced,
                answers=answers,
                silence=str(error or ""),
                greeting_ms=None if took is None else Milliseconds(round(took * 1000)),
                in_service=None if vouched and not (b.fenced or answers) else answers and not b.fenced,
            )
        )
    unseen = kafka.cluster().unseen
    gaps = [Gap(f"fenced brokers may be missing: {unseen}")] if unseen else []
    return Observed(rows=rows, gaps=gaps)


def _decides(kafka: Kafka) -> bool:
    """Whether an active controller of KRaft was seen: it fences who is silent to it. ZooKeeper's can't be asked."""
    try:
        return kafka.is_kraft() and kafka.quorum().leader >= 0
    except CannotLook:
        return False

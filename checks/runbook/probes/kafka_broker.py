"""The brokers: which there are, in which racks, and which of them answer."""

from typing import TYPE_CHECKING, Annotated, Final

from runbook.answers.kafka import Broker
from runbook.answers.kafka.errors import LostOnTheWay, MixedUp, NoController
from runbook.answers.kafka.failures import FAILURES, Failure, failure
from runbook.model.errors import CannotLook
from runbook.model.fact import Gap, Observed
from runbook.model.probe import Probe
from runbook.model.quantity import BrokerId, Milliseconds
from runbook.model.row import Cell, Row
from runbook.probes.kafka_quorum import active_controller

if TYPE_CHECKING:
    from runbook.connections.kafka import Kafka


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
    unregistered: Annotated[
        bool,
        Cell(
            "Whether the controllers of KRaft know no such broker, which replica lists name. Never where a broker that "
            "is down is not listed either."
        ),
    ]
    registered: Annotated[
        bool | None,
        Cell(
            "Whether it is registered, be it fenced; unknown of one that is not listed, in ZooKeeper mode and in KRaft "
            "before Kafka 4.0.",
            untold="whether it is down or was unregistered is not reported: KRaft lists fenced brokers from Kafka 4.0 "
            "on (KIP-1073), and ZooKeeper only brokers that are up",
        ),
    ]
    answers: Annotated[
        bool | None,
        Cell(
            "Whether the broker itself, and no other, answered requests of ours in its time. Unknown where none of "
            "several tries was answered while requests to others are lost on the way, too.",
            why="silence",
        ),
    ]
    silence: Annotated[str, Cell("Why it does not answer, and whether another one does; empty where it answers.")]
    failure: Annotated[Failure, Cell(f"The same in a word: {', '.join(FAILURES)}; empty where it answers.")]
    waited_ms: Annotated[
        Milliseconds | None,
        Cell(
            "How long we waited until it had answered as itself or was known not to, over all tries; unknown where "
            "nothing was tried, as it has no address.",
            why="silence",
            moves=True,
        ),
    ]
    greeting_ms: Annotated[
        Milliseconds | None,
        Cell(
            "How long it took to connect to it, log in and recognise it; unknown where it does not answer.",
            why="silence",
            moves=True,
        ),
    ]
    in_service: Annotated[
        bool | None,
        Cell(
            "Whether it serves: not fenced, and answering. Unknown where it does not answer us while a controller may "
            "still see it: it is cut off from us, or was lost within the last seconds.",
            why="silence",
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

_LISTS_FENCED_SINCE: Final = (4, 0)
"""KIP-1073: before, DescribeCluster names brokers that are alive."""


def observe(kafka: "Kafka") -> Observed:
    """Observe every broker; one that does not answer is a row all the same."""
    brokers = kafka.brokers()
    silences = kafka.silences(brokers)
    kept = any(error and not b.fenced for b, error in zip(brokers, silences, strict=True)) and _may_be_kept(kafka)
    complete = all(b.host for b in brokers) or _lists_fenced(kafka)
    rows = [_row(kafka, b, error, kept=kept, complete=complete) for b, error in zip(brokers, silences, strict=True)]
    unseen = kafka.cluster().unseen
    gaps = [Gap(f"fenced brokers may be missing: {unseen}")] if unseen else []
    return Observed(rows=rows, gaps=gaps)


def _row(kafka: "Kafka", broker: Broker, error: CannotLook | None, *, kept: bool, complete: bool) -> KafkaBroker:
    took, waited = kafka.greeting(broker), kafka.waited(broker)
    serves = None if error and kept else not error
    return KafkaBroker(
        broker=broker.id,
        rack=broker.rack,
        host=broker.host,
        port=broker.port,
        fenced=broker.fenced,
        unregistered=not broker.host and complete,
        registered=True if broker.host else False if complete else None,
        answers=None if isinstance(error, (LostOnTheWay, MixedUp)) else not error,
        silence=str(error or ""),
        failure=failure(error),
        waited_ms=_ms(waited),
        greeting_ms=_ms(took),
        in_service=False if broker.fenced else serves,
    )


def _lists_fenced(kafka: "Kafka") -> bool:
    """Whether every broker that is registered is listed, also one that is down."""
    release = kafka.release()
    return kafka.is_kraft() and release is not None and release >= _LISTS_FENCED_SINCE


def _ms(seconds: float | None) -> Milliseconds | None:
    return None if seconds is None else Milliseconds(round(seconds * 1000))


def _may_be_kept(kafka: "Kafka") -> bool:
    """Whether the cluster may keep in service who is silent to us: it does as long as a controller sees it.

    An active controller of KRaft fences who is silent to it. It is known not to where none is active; where we could
    not find out, or in ZooKeeper mode, whose controller can't be asked, that a broker is listed is all that we know.
    """
    try:
        return not kafka.is_kraft() or active_controller(kafka.quorum()) >= 0
    except NoController:
        return False
    except CannotLook:
        return True

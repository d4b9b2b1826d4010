"""The brokers: which there are, in which racks, and which of them answer."""

from runbook.connections.kafka import Kafka
from runbook.engine.column import Column
from runbook.engine.errors import CannotLook
from runbook.engine.fact import Gap, Observed
from runbook.engine.probe import Probe

PROBE = Probe(
    connections=("kafka",),
    help="One row per broker that is registered, or that replica lists still name.",
    columns=(
        Column("broker", "int", "Node id.", key=True, entity="broker"),
        Column("rack", "string", "broker.rack; empty when none is set, unknown when not registered.", entity="rack"),
        Column("host", "string", "Advertised host; empty when not registered.", entity="host"),
        Column("port", "int", "Advertised port; -1 when not registered."),
        Column(
            "fenced",
            "bool",
            "Kept out of service: registered but fenced (KRaft), or holding replicas without being registered.",
        ),
        Column("answers", "bool", "Whether the broker itself, and no other, answered requests of ours in its time."),
        Column(
            "in_service",
            "bool",
            "Whether it serves: not fenced, and answering. Unknown where it does not answer us while an active "
            "controller (KRaft) does not fence it: it is cut off from us, or was lost within the last seconds.",
        ),
    ),
    requests=("ApiVersions", "DescribeCluster", "DescribeQuorum", "Metadata"),
    rights=(
        "Describe on all topics, to see brokers that replica lists alone still name",
        "Describe on the cluster, to tell one that is cut off from us from one that is down",
    ),
)


def observe(kafka: Kafka) -> Observed:
    """Observe every broker; one that does not answer is a row all the same."""
    brokers = kafka.brokers()
    answers = [error is None for error in kafka.silences(brokers)]
    vouched = any(not (b.fenced or answered) for b, answered in zip(brokers, answers, strict=True)) and _decides(kafka)
    rows = []
    for b, answered in zip(brokers, answers, strict=True):
        cut_off = vouched and not (b.fenced or answered)
        rows.append((b.id, b.rack, b.host, b.port, b.fenced, answered, None if cut_off else answered and not b.fenced))
    unseen = kafka.cluster().unseen
    gaps = [Gap(f"fenced brokers may be missing: {unseen}")] if unseen else []
    return Observed(rows=rows, gaps=gaps)


def _decides(kafka: Kafka) -> bool:
    """Whether an active controller of KRaft was seen: it fences who is silent to it. ZooKeeper's can't be asked."""
    try:
        return kafka.is_kraft() and kafka.quorum().leader >= 0
    except CannotLook:
        return False

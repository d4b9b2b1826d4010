"""Which offset of a source MirrorMaker 2 noted last as which offset of the copy, read from its internal topics."""

from typing import TYPE_CHECKING, Annotated

from runbook.answers.kafka.stamps import written
from runbook.formats.mirror_positions import offset_sync
from runbook.model.fact import Observed
from runbook.model.probe import Probe
from runbook.model.quantity import Moment, Offset, PartitionNumber
from runbook.model.row import Cell, Row
from runbook.probes._mirror_positions import MOST, REQUESTS, parameters, positions

if TYPE_CHECKING:
    from runbook.connections.kafka import Kafka

_TOPICS = "mm2-offset-syncs.*.internal"


class MirrorOffsetSync(Row):
    """An offset sync of MirrorMaker."""

    log: Annotated[str, Cell("Internal topic that holds it, named after the other cluster's alias.", key=True)]
    topic: Annotated[str, Cell("Topic as it is called at the source.", key=True, entity="topic")]
    partition: Annotated[PartitionNumber, Cell("Number of the partition.", key=True)]
    upstream: Annotated[Offset, Cell("Offset of a record at the source.")]
    downstream: Annotated[Offset, Cell("Offset of its copy.")]
    at: Annotated[Moment | None, Cell("When the sync was written; unknown if it has no time.", moves=True)]


PROBE = Probe(
    connections=("kafka",),
    help="One row per partition that is copied: the newest sync. Asked of the source, which holds them by default.",
    row=MirrorOffsetSync,
    requests=REQUESTS,
    rights=(
        "Describe on all topics",
        "Read on the topics under may_read, for the syncs in them",
        "Describe on the cluster, to see that no ACL hides topics",
    ),
    parameters=parameters(_TOPICS),
    waits_for="may_read",
)


def observe(
    kafka: "Kafka",
    *,
    topics: list[str] | None = None,
    bytes: int = MOST,  # noqa: A002 - the parameter's name in runbooks
) -> Observed:
    """Observe the syncs in force; internal topics that may not be read are gaps."""
    patterns = [_TOPICS] if topics is None else topics
    found, gaps = positions(kafka, patterns, offset_sync, bytes)
    rows = [
        MirrorOffsetSync(
            log=record.topic,
            topic=position.topic,
            partition=position.partition,
            upstream=position.upstream,
            downstream=position.downstream,
            at=written(record.timestamp),
        )
        for record, position in found
    ]
    return Observed(rows=rows, gaps=gaps)

"""Commits of consumer groups as MirrorMaker 2 has translated them for the copy, read from its internal topics."""

from typing import TYPE_CHECKING, Annotated

from runbook.answers.kafka.stamps import written
from runbook.formats.mirror_positions import checkpoint
from runbook.model.fact import Observed
from runbook.model.probe import Probe
from runbook.model.quantity import Moment, Offset, PartitionNumber
from runbook.model.row import Cell, Row
from runbook.probes._mirror_positions import MOST, REQUESTS, parameters, positions

if TYPE_CHECKING:
    from runbook.connections.kafka import Kafka

_TOPICS = "*.checkpoints.internal"


class MirrorCheckpoint(Row):
    """A checkpoint of MirrorMaker."""

    log: Annotated[str, Cell("Internal topic that holds it, named after the source's alias.", key=True)]
    group: Annotated[str, Cell("Consumer group.", key=True, entity="group")]
    topic: Annotated[str, Cell("Topic as it is called at the target.", key=True, entity="topic")]
    partition: Annotated[PartitionNumber, Cell("Number of the partition.", key=True)]
    upstream: Annotated[Offset, Cell("Offset that the group committed at the source, when that was translated.")]
    downstream: Annotated[Offset, Cell("Offset of the copy that this means.")]
    at: Annotated[Moment | None, Cell("When the checkpoint was written; unknown if it has no time.", moves=True)]


PROBE = Probe(
    connections=("kafka",),
    help="One row per group and partition: the newest checkpoint. Asked of the target, which holds them.",
    row=MirrorCheckpoint,
    requests=REQUESTS,
    rights=(
        "Describe on all topics",
        "Read on the topics under may_read, for the checkpoints in them",
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
    """Observe the checkpoints in force; internal topics that may not be read are gaps."""
    patterns = [_TOPICS] if topics is None else topics
    found, gaps = positions(kafka, patterns, checkpoint, bytes)
    rows = [
        MirrorCheckpoint(
            log=record.topic,
            group=position.group,
            topic=position.topic,
            partition=position.partition,
            upstream=position.upstream,
            downstream=position.downstream,
            at=written(record.timestamp),
        )
        for record, position in found
    ]
    return Observed(rows=rows, gaps=gaps)

"""Whether the clusters at both ends of a link answer anybody here, and what of the mirrored one came over last."""

from typing import Annotated

from runbook.model.fact import Fact, Observed
from runbook.model.parameter import Parameter
from runbook.model.quantity import Moment
from runbook.model.reach import silent
from runbook.model.row import Cell, Row
from runbook.model.sentence import shown
from runbook.model.view import Input, View


class SourceReach(Row):
    """The cluster that is mirrored, and its standby: the one that it is mirrored to."""

    heartbeats: Annotated[
        str, Cell("The topic of its heartbeats, as it is called where they come to.", key=True, entity="topic")
    ]
    answers: Annotated[
        bool | None,
        Cell("Whether a broker of it answered; unknown where the deadline came first, or something else was wrong."),
    ]
    reached: Annotated[bool, Cell("Whether a broker of it did answer, for certain.")]
    brokers: Annotated[int | None, Cell("Brokers that it has; unknown where none answered.", unit="brokers")]
    answering: Annotated[int | None, Cell("Those of them that answered; unknown where that is of one.", unit="brokers")]
    why: Annotated[str | None, Cell("What its bootstrap servers came to; unknown where it answers.")]
    newest: Annotated[Moment | None, Cell("Time of the newest heartbeat of it that came; unknown if none is there.")]
    standby: Annotated[bool | None, Cell("Whether a broker of its standby answered; unknown as of itself.")]
    standby_why: Annotated[str | None, Cell("What bootstrap servers of the standby came to; unknown where it answers.")]


VIEW = View(
    help="One row: whether both ends of a link answer, from kafka_cluster of each and heartbeats that came over.",
    row=SourceReach,
    inputs={
        "cluster": Input("kafka_cluster", columns=("cluster_id", "brokers", "answering"), at="source", tells=True),
        "heartbeat": Input("kafka_partition_offset", columns=("topic", "newest"), at="target", tells=True),
        "standby": Input("kafka_cluster", columns=("cluster_id",), at="target", tells=True),
    },
    version=2,
    parameters={
        "heartbeats": Parameter(
            "string", help="the topic in which its heartbeats come", source="the link: link.heartbeats"
        )
    },
)


def compute(*, cluster: Fact, heartbeat: Fact, standby: Fact, heartbeats: str | None = None) -> Observed:
    """See whether there are clusters at all; how they fail tells what can be said."""
    answers, there = _answers(cluster), _answers(standby)
    topic = heartbeats or "heartbeats"
    beats = [row["newest"] for row in heartbeat.rows("topic", "newest") if row["topic"] == topic]
    told = next(iter(cluster.rows("brokers", "answering")), {"brokers": None, "answering": None})
    row = SourceReach(
        heartbeats=topic,
        answers=answers,
        reached=answers is True,
        brokers=told["brokers"],
        answering=told["answering"],
        why=_why(cluster) if answers is False else None,
        newest=max((beat for beat in beats if beat is not None), default=None),
        standby=there,
        standby_why=_why(standby) if there is False else None,
    )
    return Observed(rows=[row])


def _answers(cluster: Fact) -> bool | None:
    nobody = silent(cluster)
    return None if nobody is None else not nobody


def _why(cluster: Fact) -> str | None:
    return shown(*(gap.reason for gap in cluster.gaps)) or None

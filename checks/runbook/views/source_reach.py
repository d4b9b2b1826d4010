"""Whether the cluster that a link comes from answers anybody here, and what of it came over last."""

from typing import Annotated

from runbook.model.fact import Fact, Observed
from runbook.model.parameter import Parameter
from runbook.model.quantity import Moment
from runbook.model.reach import dark
from runbook.model.row import Cell, Row
from runbook.model.view import View

_NO_TIME = "had not answered"  # by the deadline: it may only be slow, or we are


class SourceReach(Row):
    """The cluster that is mirrored."""

    heartbeats: Annotated[
        str, Cell("The topic of its heartbeats, as it is called where they come to.", key=True, entity="topic")
    ]
    answers: Annotated[
        bool | None,
        Cell("Whether a broker of it answered; unknown where the deadline came first, or something else was wrong."),
    ]
    why: Annotated[str | None, Cell("What its bootstrap servers came to; unknown where it answers.")]
    newest: Annotated[Moment | None, Cell("Time of the newest heartbeat of it that came; unknown if none is there.")]


VIEW = View(
    help="One row: whether the mirrored cluster answers, from kafka_cluster of it and heartbeats that came over.",
    row=SourceReach,
    of=(("cluster_id",), ("topic", "newest")),
    parameters={
        "heartbeats": Parameter(
            "string", help="the topic in which its heartbeats come", source="the link: link.heartbeats"
        )
    },
)


def compute(cluster: Fact, heartbeat: Fact, /, *, heartbeats: str | None = None) -> Observed:
    """See whether there is a cluster at all; how it fails tells what can be said."""
    reasons = [gap.reason for gap in cluster.gaps]
    answers: bool | None = bool(len(cluster)) or None
    if dark(cluster) and not any(_NO_TIME in reason for reason in reasons):
        answers = False
    topic = heartbeats or "heartbeats"
    beats = [row["newest"] for row in heartbeat.rows("topic", "newest") if row["topic"] == topic]
    newest = max((beat for beat in beats if beat is not None), default=None)
    why = "; ".join(reasons) or None if answers is False else None
    return Observed(rows=[SourceReach(heartbeats=topic, answers=answers, why=why, newest=newest)])

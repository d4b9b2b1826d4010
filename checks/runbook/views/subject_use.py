"""To which topic each subject belongs, told from its name: the three strategies by which serializers name subjects."""

from typing import Annotated, NamedTuple

from runbook.model.fact import Fact, Observed
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View

_ENDS = ("-value", "-key")


class SubjectUse(Row):
    """A subject that is not deleted."""

    subject: Annotated[str, Cell("The subject.", key=True, entity="subject")]
    strategy: Annotated[str, Cell("topic, record or topic and record; empty if its name fits none.")]
    topic: Annotated[str, Cell("The topic; empty if the strategy names none.", entity="topic")]
    part: Annotated[str, Cell("key or value; empty if the strategy does not tell.")]
    compatibility: Annotated[str | None, Cell("Level in force for the subject.")]
    exists: Annotated[
        bool | None, Cell("Whether there is that topic; always true of a record's subject, which names none.")
    ]


VIEW = View(
    help="One row per subject that is not deleted: the topic its name points at.",
    row=SubjectUse,
    leaves_out="subjects that are deleted",
    inputs={
        "subject": Input(
            "schema_subject", columns=("subject", "name", "deleted", "compatibility"), needs=("name", "deleted")
        ),
        "latest": Input("schema_latest", columns=("subject", "record")),
        "topic": Input("kafka_topic", columns=("name",)),
    },
    version=2,
)


def compute(*, subject: Fact, latest: Fact, topic: Fact) -> Observed:
    """Work it out from schema_subject, schema_latest and kafka_topic."""
    topics = set(topic.columns["name"])
    records = dict(zip(latest.columns["subject"], latest.columns["record"], strict=True))
    rows = []
    for row in subject.rows("subject", "name", "deleted", "compatibility"):
        if not row["deleted"]:
            use = _use(row["name"], records.get(row["subject"]), topics, whole=topic.complete)
            rows.append(
                SubjectUse(
                    subject=row["subject"],
                    strategy=use.strategy,
                    topic=use.topic,
                    part=use.part,
                    compatibility=row["compatibility"],
                    exists=use.exists,
                )
            )
    return Observed(rows=rows)


class _Use(NamedTuple):
    strategy: str
    topic: str
    part: str
    exists: bool | None


def _use(name: str, record: str | None, topics: set[str], *, whole: bool) -> _Use:
    """What a subject's name tells, and whether there is the topic that it names."""
    if record and name == record:
        return _Use("record", "", "", exists=True)
    if record and name.endswith(f"-{record}"):
        of = name.removesuffix(f"-{record}")
        return _Use("topic and record", of, "", _is_there(of, topics, whole=whole))
    for end in _ENDS:
        if name.endswith(end):
            of = name.removesuffix(end)
            return _Use("topic", of, end.removeprefix("-"), _is_there(of, topics, whole=whole))
    return _Use("", "", "", None if record is None else False)  # without the record's name, it might be one's


def _is_there(topic: str, topics: set[str], *, whole: bool) -> bool | None:
    return topic in topics or (False if whole else None)

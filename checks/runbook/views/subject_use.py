"""To which topic each subject belongs, told from its name: the three strategies by which serializers name subjects."""

from runbook.engine.column import Column
from runbook.engine.fact import Fact, Observed
from runbook.engine.view import View

_ENDS = ("-value", "-key")

VIEW = View(
    help="One row per subject that is not deleted: the topic its name points at.",
    columns=(
        Column("subject", "string", "The subject.", key=True, entity="subject"),
        Column("strategy", "string", "topic, record or topic and record; empty if its name fits none."),
        Column("topic", "string", "The topic; empty if the strategy names none.", entity="topic"),
        Column("part", "string", "key or value; empty if the strategy does not tell."),
        Column("compatibility", "string", "Level in force for the subject."),
        Column("exists", "bool", "Whether there is that topic; always true of a record's subject, which names none."),
    ),
    of=(("subject", "name", "deleted", "compatibility"), ("subject", "record"), ("name",)),
    needs=(("name", "deleted"),),
    version=2,
)


def compute(subject: Fact, latest: Fact, topic: Fact, /) -> Observed:
    """Work it out from schema_subject, schema_latest and kafka_topic."""
    topics = set(topic.columns["name"])
    records = dict(zip(latest.columns["subject"], latest.columns["record"], strict=True))
    rows = []
    names = ("subject", "name", "deleted", "compatibility")
    for one, name, gone, level in zip(*(subject.columns[column] for column in names), strict=True):
        if not gone:
            strategy, of, part, there = _use(name, records.get(one), topics, whole=topic.complete)
            rows.append((one, strategy, of, part, level, there))
    return Observed(rows=rows)


def _use(name: str, record: str | None, topics: set[str], *, whole: bool) -> tuple[str, str, str, bool | None]:
    """Strategy, topic, part, and whether there is that topic."""
    if record and name == record:
        return "record", "", "", True
    if record and name.endswith(f"-{record}"):
        of = name.removesuffix(f"-{record}")
        return "topic and record", of, "", _is_there(of, topics, whole=whole)
    for end in _ENDS:
        if name.endswith(end):
            of = name.removesuffix(end)
            return "topic", of, end.removeprefix("-"), _is_there(of, topics, whole=whole)
    return "", "", "", None if record is None else False  # without the record's name, it might be one's


def _is_there(topic: str, topics: set[str], *, whole: bool) -> bool | None:
    return topic in topics or (False if whole else None)

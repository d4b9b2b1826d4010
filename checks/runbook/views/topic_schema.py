"""Which topics have a schema: the contract between those who write and those who read."""

from collections import defaultdict

from runbook.engine.column import Column
from runbook.engine.fact import Fact, Observed
from runbook.engine.view import View

VIEW = View(
    help="One row per topic that is not Kafka's own: the subjects that name it.",
    columns=(
        Column("topic", "string", "The topic.", key=True, entity="topic"),
        Column("value", "bool", "Whether a subject says what its values are."),
        Column("key", "bool", "Whether a subject says what its keys are."),
        Column("subjects", "list[string]", "The subjects that name it."),
    ),
    of=(("name", "internal"), ("subject", "topic", "part")),
    needs=(("internal",), ("topic", "part")),
    version=2,
)


def compute(topic: Fact, use: Fact, /) -> Observed:
    """Work it out from kafka_topic and subject_use."""
    parts: dict[str, dict[str, str]] = defaultdict(dict)
    for subject, of, part in zip(*(use.columns[name] for name in ("subject", "topic", "part")), strict=True):
        if of:
            parts[of][subject] = part
    rows = []
    for name, internal in zip(topic.columns["name"], topic.columns["internal"], strict=True):
        if not internal:
            mine = parts.get(name, {})
            value, key = any(part != "key" for part in mine.values()), "key" in mine.values()
            known = use.complete
            rows.append((name, value or (False if known else None), key or (False if known else None), sorted(mine)))
    return Observed(rows=rows)

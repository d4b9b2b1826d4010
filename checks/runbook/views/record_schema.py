"""Records of topics that have a schema: whether they carry the id of one that the registry knows."""

from collections import defaultdict
from collections.abc import Sequence
from fnmatch import fnmatchcase
from typing import Annotated

from runbook.model.fact import Fact, Observed
from runbook.model.parameter import Parameter
from runbook.model.quantity import Offset, PartitionNumber
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View

_NONE = -1
"""What kafka_record tells of a value that begins with no id."""

_IN_HEADER = "__value_schema_id"
"""The header in which newer serializers of Confluent put the schema's GUID, which is no id of a version."""


class RecordSchema(Row):
    """A record with a value."""

    topic: Annotated[str, Cell("The topic.", key=True, entity="topic")]
    partition: Annotated[PartitionNumber, Cell("The partition.", key=True)]
    offset: Annotated[Offset, Cell("Its offset.", key=True)]
    id: Annotated[int, Cell("Schema id that its value begins with; -1 for none.")]
    in_header: Annotated[bool, Cell("Whether a header names its schema instead.")]
    known: Annotated[bool | None, Cell("Whether a version has that id, deleted ones that can be had back among them.")]
    subjects: Annotated[list[str] | None, Cell("Subjects of the versions that have it.")]


VIEW = View(
    help="One row per record with a value, of the topics that have a schema for theirs.",
    row=RecordSchema,
    leaves_out="records without a value, and of topics without a schema",
    inputs={
        "record": Input(
            "kafka_record",
            columns=("topic", "partition", "offset", "value_is_null", "value_schema", "headers"),
            needs=("headers",),
        ),
        "contract": Input("topic_schema", columns=("topic", "value"), needs=("value",)),
        "version": Input("schema_id", columns=("subject", "id"), needs=("id",)),
    },
    version=2,
    parameters={
        "governed": Parameter(
            type="list[string]",
            help="shell patterns of more topics that have one, whose subjects do not say so",
        ),
    },
)


def compute(*, record: Fact, contract: Fact, version: Fact, governed: Sequence[str] | None = None) -> Observed:
    """Work it out from kafka_record, topic_schema and schema_id."""
    has_schema = dict(zip(contract.columns["topic"], contract.columns["value"], strict=True))
    subjects: dict[int, set[str]] = defaultdict(set)
    for subject, number in zip(version.columns["subject"], version.columns["id"], strict=True):
        subjects[number].add(subject)
    absent = version.presence(found=False)
    rows = []
    for row in record.rows():
        wanted = has_schema.get(row["topic"]) or any(fnmatchcase(row["topic"], pattern) for pattern in governed or ())
        if wanted and not row["value_is_null"]:
            number = row["value_schema"]
            in_header = _IN_HEADER in row["headers"]
            unseen = False if number == _NONE else absent  # that no id is none needs no complete list
            known = True if number in subjects else None if in_header or number is None else unseen
            rows.append(
                RecordSchema(
                    topic=row["topic"],
                    partition=row["partition"],
                    offset=row["offset"],
                    id=number,
                    in_header=in_header,
                    known=known,
                    subjects=None if number is None else sorted(subjects.get(number, ())),
                )
            )
    return Observed(rows=rows)

"""Whether clients write and read values in the format whose schemas the registry has for their topics."""

from collections import defaultdict
from collections.abc import Sequence
from fnmatch import fnmatchcase
from typing import Annotated, Any

from runbook.model.fact import Fact, Gap, Observed
from runbook.model.parameter import Parameter
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View
from runbook.views._client_topics import client_and_topics


class ClientSchemaType(Row):
    """A client, and a subject of the values of a topic that it was said to use."""

    client: Annotated[str, Cell("Name of the client in the inventory.", key=True)]
    subject: Annotated[str, Cell("The subject.", key=True, entity="subject")]
    topic: Annotated[str, Cell("Its topic.", entity="topic")]
    format: Annotated[str | None, Cell("AVRO, JSON or PROTOBUF, by the client's classes; empty: none of a registry's.")]
    type: Annotated[str | None, Cell("AVRO, JSON or PROTOBUF: type of the newest version of the subject.")]


VIEW = View(
    help="One row per client and subject of a topic that it was said to use: the format of each.",
    row=ClientSchemaType,
    leaves_out="subjects of keys, and clients of which no topic was said",
    inputs={
        "client": Input("registry_client", columns=("client", "format")),
        "use": Input("subject_use", columns=("subject", "topic", "part"), needs=("topic", "part")),
        "latest": Input("schema_latest", columns=("subject", "type")),
    },
    parameters={
        "uses": Parameter(type="list[string]", help="who uses what, by patterns of topics, as in [billing=orders*]"),
    },
)


def compute(*, client: Fact, use: Fact, latest: Fact, uses: Sequence[str] | None = None) -> Observed:
    """Work it out from registry_client, subject_use and schema_latest; a client without a file is a gap."""
    patterns: dict[str, list[str]] = defaultdict(list)
    for name, pattern in (client_and_topics(entry, "uses") for entry in uses or ()):
        patterns[name].append(pattern)
    formats = dict(zip(client.columns["client"], client.columns["format"], strict=True))
    types = dict(zip(latest.columns["subject"], latest.columns["type"], strict=True))
    subjects = [row for row in use.rows("subject", "topic", "part") if row["topic"] and row["part"] != "key"]
    return Observed(
        rows=[
            ClientSchemaType(
                client=name,
                subject=row["subject"],
                topic=row["topic"],
                format=formats[name],
                type=types.get(row["subject"]),
            )
            for name in sorted(patterns.keys() & formats.keys())
            for row in subjects
            if _matches(row, patterns[name])
        ],
        gaps=[
            Gap(f"no file of client {name} names a Schema Registry", {"client": name})
            for name in sorted(patterns.keys() - formats.keys())
        ],
    )


def _matches(row: dict[str, Any], patterns: Sequence[str]) -> bool:
    return any(fnmatchcase(row["topic"], pattern) for pattern in patterns)

"""Who may do what with mirrors, beside who may with their sources."""

from typing import Annotated

from runbook.model.fact import Fact, Observed
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View
from runbook.views._acl_names import Broader
from runbook.views._mirrors import ACL, EXCLUDE, PREFIX, TOPICS, meant


class MirroredAcl(Row):
    """An ACL of the source's topics that are meant to be mirrored."""

    principal: Annotated[str, Cell("Who, as User:alice.", key=True, entity="principal")]
    host: Annotated[str, Cell("From which address; * is any.", key=True)]
    operation: Annotated[str, Cell("What it says at the source.", key=True)]
    permission: Annotated[str, Cell("Allow or Deny.", key=True)]
    topic: Annotated[str, Cell("Topic of the source, what names begin with, or *.", key=True, entity="topic")]
    pattern: Annotated[str, Cell("Literal or Prefixed.", key=True)]
    mirror: Annotated[str, Cell("The resource that it is for on the target.")]
    present: Annotated[
        bool | None, Cell("Whether the target says as much of the mirror, or more; Read for an Allow of All.")
    ]


VIEW = View(
    help="One row per ACL of the source's topics that are meant to be mirrored; leave to write is not among them.",
    row=MirroredAcl,
    inputs={
        "source": Input("kafka_acl", columns=ACL, at="source"),
        "target": Input("kafka_acl", columns=ACL, at="target"),
    },
    version=2,
    parameters={"prefix": PREFIX, "topics": TOPICS, "exclude": EXCLUDE},
)


def compute(
    *,
    source: Fact,
    target: Fact,
    prefix: str | None = None,
    topics: list[str] | None = None,
    exclude: list[str] | None = None,
) -> Observed:
    """Pair the topic ACLs of two kafka_acl facts.

    What MirrorMaker itself would bring (MirrorSourceConnector's targetAclBinding): all but leave to write, as nobody
    but itself is to write to a mirror, and All made Read. An ACL for every topic is the same on both sides.
    """
    wanted = meant(topics, exclude)
    there = Broader(target.rows())
    rows: list[MirroredAcl] = []
    for row in source.rows():
        allows = row["permission"] == "Allow"
        if row["resource_type"] != "Topic" or (allows and row["operation"] == "Write"):
            continue
        name = row["resource"]
        everything = name == "*" and row["pattern"] == "Literal"
        if not everything and row["pattern"] == "Literal" and not wanted(name):
            continue
        mirror = name if everything else (prefix or "") + name
        operation = "Read" if allows and row["operation"] == "All" else row["operation"]
        present = there.have(row | {"operation": operation, "resource": mirror})
        rows.append(
            MirroredAcl(
                principal=row["principal"],
                host=row["host"],
                operation=row["operation"],
                permission=row["permission"],
                topic=name,
                pattern=row["pattern"],
                mirror=mirror,
                present=target.presence(found=present),
            )
        )
    return Observed(rows=rows)

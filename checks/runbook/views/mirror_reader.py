"""Which groups read a topic of their own site and the mirror of the same topic of another."""

from fnmatch import fnmatchcase
from typing import Annotated

from runbook.model.fact import Fact, Observed
from runbook.model.parameter import Parameter
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View
from runbook.views._mirrors import PREFIX


class MirrorReader(Row):
    """A group and topic that is there twice."""

    group: Annotated[str, Cell("Group id.", key=True, entity="group")]
    topic: Annotated[str, Cell("Topic of this site.", key=True, entity="topic")]
    mirror: Annotated[str, Cell("Mirror of the other site's topic of that name.", entity="topic")]
    reads_local: Annotated[bool, Cell("Whether it has committed a position in the topic.")]
    reads_mirror: Annotated[bool, Cell("Whether it has committed a position in the mirror.")]


VIEW = View(
    help="One row per group and topic that is there twice, as it is and as a mirror, if the group reads either.",
    row=MirrorReader,
    leaves_out="groups that no pattern takes, and topics that are not there twice",
    inputs={
        "offset": Input("kafka_group_offset", columns=("group", "topic"), at="target"),
        "topic": Input("kafka_topic", columns=("name",), at="target"),
    },
    parameters={
        "prefix": PREFIX,
        "groups": Parameter(type="list[string]", help="shell patterns of groups that must see both; none if not given"),
    },
)


def compute(*, offset: Fact, topic: Fact, prefix: str | None = None, groups: list[str] | None = None) -> Observed:
    """Work it out from kafka_group_offset and kafka_topic of one cluster; nothing where mirrors keep their names."""
    if not prefix:
        return Observed(inapplicable="mirrors keep the names of their topics: one subscription reads all there is")
    names = set(topic.columns["name"])
    read: dict[str, set[str]] = {}
    for group, name in zip(offset.columns["group"], offset.columns["topic"], strict=True):
        if any(fnmatchcase(group, pattern) for pattern in groups or []):
            read.setdefault(group, set()).add(name)
    rows = []
    for group, seen in sorted(read.items()):
        for name in sorted({name.removeprefix(prefix) for name in seen}):
            mirror = prefix + name
            if {name, mirror} <= names:
                rows.append(
                    MirrorReader(
                        group=group, topic=name, mirror=mirror, reads_local=name in seen, reads_mirror=mirror in seen
                    )
                )
    return Observed(rows=rows)

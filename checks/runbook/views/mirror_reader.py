"""Which groups read a topic of their own site and the mirror of the same topic of another."""

from fnmatch import fnmatchcase

from runbook.engine.column import Column
from runbook.engine.fact import Fact, Observed
from runbook.engine.parameter import Parameter
from runbook.engine.view import View
from runbook.views._mirrors import PREFIX

VIEW = View(
    help="One row per group and topic that is there twice, as it is and as a mirror, if the group reads either.",
    columns=(
        Column("group", "string", "Group id.", key=True, entity="group"),
        Column("topic", "string", "Topic of this site.", key=True, entity="topic"),
        Column("mirror", "string", "Mirror of the other site's topic of that name.", entity="topic"),
        Column("reads_local", "bool", "Whether it has committed a position in the topic."),
        Column("reads_mirror", "bool", "Whether it has committed a position in the mirror."),
    ),
    of=(("group", "topic"), ("name",)),
    parameters={
        "prefix": PREFIX,
        "groups": Parameter(type="list[string]", help="shell patterns of groups that must see both; none if not given"),
    },
)


def compute(offset: Fact, topic: Fact, /, *, prefix: str | None = None, groups: list[str] | None = None) -> Observed:
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
        for name in sorted({one.removeprefix(prefix) for one in seen}):
            mirror = prefix + name
            if {name, mirror} <= names:
                rows.append((group, name, mirror, name in seen, mirror in seen))
    return Observed(rows=rows)

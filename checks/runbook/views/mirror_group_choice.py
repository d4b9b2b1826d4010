"""Which groups of a source the filters of MirrorMaker's checkpoint connectors take."""

from fnmatch import fnmatchcase
from typing import Annotated

from runbook.model.fact import Fact, Gap, Observed
from runbook.model.parameter import Parameter
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View
from runbook.views._mirrors import EXCLUDE, GROUPS, TOPICS, any_of, flows_from, meant, takes_of


class MirrorGroupChoice(Row):
    """A group that is meant to find its place at the target, and has committed in a topic that is mirrored."""

    group: Annotated[str, Cell("Group id.", key=True, entity="group")]
    taken: Annotated[bool | None, Cell("Whether the filters of a connector that translates offsets take it.")]
    filters: Annotated[
        list[str] | None, Cell("Java patterns of groups of all these connectors, one of which the whole id has to fit.")
    ]
    excludes: Annotated[list[str] | None, Cell("Java patterns of groups that these connectors leave out all the same.")]
    connectors: Annotated[list[str], Cell("Connectors that translate offsets from there.", entity="connector")]


VIEW = View(
    help="One row per group of the source that is meant to find its place at the target.",
    row=MirrorGroupChoice,
    leaves_out="connectors that translate nothing from there",
    inputs={
        "connector": Input(
            "mirror_connector",
            columns=("connector", "kind", "source", "enabled", "emit_checkpoints", "groups", "groups_exclude"),
            needs=("kind", "source"),
            at="target",
        ),
        "group": Input("kafka_group_offset", columns=("group", "topic"), at="source"),
    },
    parameters={
        "alias": Parameter("string", "", help="alias of the cluster that is copied"),
        "topics": TOPICS,
        "exclude": EXCLUDE,
        "groups": GROUPS,
    },
)


def compute(
    *,
    connector: Fact,
    group: Fact,
    alias: str = "",
    topics: list[str] | None = None,
    exclude: list[str] | None = None,
    groups: list[str] | None = None,
) -> Observed:
    """Work it out from mirror_connector of the target and kafka_group_offset of the source.

    Where no connector translates at all nothing is said of filters.
    """
    flows = flows_from(connector, "checkpoint", alias, "emit_checkpoints")
    if not flows:
        return Observed(rows=[])
    wanted = meant(topics, exclude)
    filters = [takes_of(row["groups"], row["groups_exclude"]) for row in flows]
    gaps = [Gap(f"{row['connector']}: {why}") for row, (_, whys) in zip(flows, filters, strict=True) for why in whys]
    names = {
        row["group"]
        for row in group.rows("group", "topic")
        if wanted(row["topic"]) and any(fnmatchcase(row["group"], pattern) for pattern in groups or [])
    }
    rows = [
        MirrorGroupChoice(
            group=name,
            taken=any_of(None if takes is None else takes(name) for takes, _ in filters),
            filters=_together([row["groups"] for row in flows]),
            excludes=_together([row["groups_exclude"] for row in flows]),
            connectors=sorted(row["connector"] for row in flows),
        )
        for name in sorted(names)
    ]
    return Observed(rows=rows, gaps=gaps)


def _together(lists: list[list[str] | None]) -> list[str] | None:
    known = [patterns for patterns in lists if patterns is not None]
    return sorted({one for patterns in known for one in patterns}) if len(known) == len(lists) else None

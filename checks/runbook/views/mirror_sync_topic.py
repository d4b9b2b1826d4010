"""Whether the topic is there in which MirrorMaker's source connectors note which offsets belong together."""

from typing import Annotated

from runbook.model.fact import Fact, Observed
from runbook.model.parameter import Parameter
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View
from runbook.views._mirrors import flows_from

_NAMED = ("default", "identity")
"""Policies whose names of it are known."""


class MirrorSyncTopic(Row):
    """The flow from the cluster of an alias."""

    alias: Annotated[str, Cell("Alias of the cluster that is copied.", key=True)]
    connectors: Annotated[list[str], Cell("Connectors that note offsets.", entity="connector")]
    topics: Annotated[list[str] | None, Cell("The topics that they note them in; unknown of policies of one's own.")]
    present: Annotated[bool | None, Cell("Whether all of these topics are there; so it is where there are none.")]
    missing: Annotated[list[str], Cell("Those that are missing, for certain.")]


VIEW = View(
    help="One row: whether the offset-syncs topic of a flow is there.",
    row=MirrorSyncTopic,
    leaves_out="connectors that note no offsets, or copy from elsewhere",
    inputs={
        "connector": Input(
            "mirror_connector",
            columns=(
                "connector",
                "kind",
                "source",
                "target",
                "enabled",
                "policy",
                "separator",
                "emit_offset_syncs",
                "offset_syncs_location",
            ),
            needs=("kind", "source"),
            at="target",
        ),
        "source": Input("kafka_topic", columns=("name",), at="source", tells=True),
        "target": Input("kafka_topic", columns=("name",), at="target", tells=True),
    },
    parameters={"alias": Parameter("string", "", help="alias of the cluster that is copied")},
)


def compute(*, connector: Fact, source: Fact, target: Fact, alias: str = "") -> Observed:
    """Work it out from mirror_connector of the target and kafka_topic of both.

    It is called after the other cluster: at the source after the target, at the target after the source. A topic that
    was not seen is missing only if all topics there were seen. With a separator of one's own it may have dots all the
    same (replication.policy.internal.topic.separator.enabled).
    """
    flows = flows_from(connector, "source", alias, "emit_offset_syncs")
    at = {"source": source, "target": target}
    names = {place: set(fact.columns.get("name", [])) for place, fact in at.items()}
    found: dict[str, bool | None] = {}
    known = True
    for row in flows:
        where = row["offset_syncs_location"]
        other = row["source"] if where == "target" else row["target"]
        if where not in at or other is None or row["separator"] is None or row["policy"] not in _NAMED:
            known = False
            continue
        name, short = (f"mm2-offset-syncs{between}{other}{between}internal" for between in (row["separator"], "."))
        found[name] = at[where].presence(found={name, short} & names[where])
    missing = sorted(name for name, there in found.items() if there is False)
    sure = known and None not in found.values() and all(row["emit_offset_syncs"] for row in flows)
    told = MirrorSyncTopic(
        alias=alias,
        connectors=sorted(row["connector"] for row in flows),
        topics=sorted(found) if known else None,
        present=False if missing else True if sure else None,
        missing=missing,
    )
    return Observed(rows=[told])

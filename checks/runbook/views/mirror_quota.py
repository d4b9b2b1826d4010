"""Quotas that may hold MirrorMaker back: at the target for what it writes, at the source for what it reads."""

from collections.abc import Iterator
from typing import Annotated, Any, Final

from runbook.model.fact import Fact, Observed
from runbook.model.parameter import Parameter
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View
from runbook.views._mirrors import flows_from

_QUOTA: Final = ("who", "limit", "value", "default", "about")
_WRITES: Final = ("producer_byte_rate", "request_percentage")
_READS: Final = ("consumer_byte_rate", "request_percentage")
_OWN: Final = ("client connector-producer-", "client connector-consumer-")
"""How client ids begin that Connect gives to the clients of a connector."""
_READER: Final = "replication-consumer"
"""In the client id of the consumer of MirrorMaker's source tasks (MirrorSourceTask)."""


class MirrorQuota(Row):
    """A quota that applies to MirrorMaker's clients, or to all that have none of their own."""

    at: Annotated[str, Cell("target: it limits what is written there; source: what is read there.", key=True)]
    who: Annotated[str, Cell("Whose it is, in words: every client; client connector-producer-eu-0.", key=True)]
    limit: Annotated[str, Cell("producer_byte_rate, consumer_byte_rate or request_percentage.", key=True)]
    value: Annotated[float, Cell("Bytes a second, or percent of a thread, on each broker.")]
    entity: Annotated[str, Cell("The entity as kafka-configs.sh takes it; empty of one that is not plain.")]
    connectors: Annotated[list[str], Cell("Source connectors of the flow.", entity="connector")]
    overdue: Annotated[
        int | None,
        Cell(
            "Partitions that lack a record older than promised; unknown if none is known to, and of some it is not "
            "known.",
            unit="partitions",
        ),
    ]


VIEW = View(
    help="One row per quota that may limit how fast MirrorMaker copies.",
    row=MirrorQuota,
    leaves_out="quotas for users by name: as which user MirrorMaker logs in is not told",
    inputs={
        "late": Input("mirror_overdue", columns=("topic", "partition", "overdue")),
        "connector": Input(
            "mirror_connector",
            columns=("connector", "kind", "source", "enabled"),
            needs=("kind", "source"),
            at="target",
        ),
        "source": Input("kafka_quota", columns=_QUOTA, at="source"),
        "target": Input("kafka_quota", columns=_QUOTA, at="target"),
    },
    parameters={"alias": Parameter("string", "", help="alias of the cluster that is copied")},
)


def compute(*, late: Fact, connector: Fact, source: Fact, target: Fact, alias: str = "") -> Observed:
    """Choose the quotas of both kafka_quota facts by whom they are for."""
    flows = sorted(row["connector"] for row in flows_from(connector, "source", alias, "enabled"))
    found = [row["overdue"] for row in late.rows()]
    overdue = sum(each is True for each in found) or (None if None in found else 0)
    if not flows:
        return Observed(rows=[])
    chosen = [("target", row) for row in _chosen(target, _WRITES)] + [
        ("source", row) for row in _chosen(source, _READS)
    ]
    return Observed(
        rows=[
            MirrorQuota(
                at=at,
                who=row["who"],
                limit=row["limit"],
                value=row["value"],
                entity=_entity(row),
                connectors=flows,
                overdue=overdue,
            )
            for at, row in chosen
        ]
    )


def _chosen(quota: Fact, limits: tuple[str, ...]) -> Iterator[dict[str, Any]]:
    """Those of MirrorMaker's client ids, and defaults where these have none of their own."""
    rows = [row for row in quota.rows(*_QUOTA) if row["limit"] in limits and row["about"] != "ip"]
    own = [row for row in rows if row["who"].startswith(_OWN) or (row["about"] == "client" and _READER in row["who"])]
    yield from own
    limited = {row["limit"] for row in own}
    yield from (row for row in rows if row["default"] and row["limit"] not in limited)


def _entity(row: dict[str, Any]) -> str:
    kind = {"client": "clients", "user": "users"}.get(row["about"], "")
    if not kind:
        return ""
    return f"--entity-type {kind} " + (
        "--entity-default" if row["default"] else f"--entity-name {row['who'].split()[1]}"
    )

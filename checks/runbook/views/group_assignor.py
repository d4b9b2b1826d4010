"""Whether the clients of one group can agree on how to share out its partitions."""

from collections.abc import Sequence
from typing import Annotated

from runbook.model.fact import Fact, Gap, Observed
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View
from runbook.views import consumer_config
from runbook.views._client_defaults import LIBRARIES
from runbook.views.consumer_config import ConsumerConfig


class GroupAssignor(Row):
    """A group that several clients whose files are known name as theirs."""

    group: Annotated[str, Cell("Group id.", key=True, entity="group")]
    clients: Annotated[list[str], Cell("Names of those clients in the inventory.")]
    common: Annotated[list[str] | None, Cell("Assignors that all of them offer, in the first one's order.")]
    protocols: Annotated[list[str] | None, Cell("What group.protocol says in them, each once.")]
    assignor: Annotated[str | None, Cell("The one in force; empty while it has none, or where the group was not seen.")]


VIEW = View(
    help="One row per group that files of several clients name.",
    row=GroupAssignor,
    inputs={
        "config": Input("client_config", columns=("client", "kind", "setting", "value")),
        "group": Input("kafka_consumer_group", columns=("group", "protocol")),
    },
    parameters={"libraries": LIBRARIES},
)


def compute(*, config: Fact, group: Fact, libraries: Sequence[str] | None = None) -> Observed:
    """Work it out from client_config and kafka_consumer_group."""
    in_force = {row["group"]: row["protocol"] for row in group.rows("group", "protocol")}
    members: dict[str, list[ConsumerConfig]] = {}
    there = consumer_config.compute(config=config, libraries=libraries).rows
    for member in there:
        if member.group:
            members.setdefault(member.group, []).append(member)
    unseen = "" if group.complete else None
    rows = [
        GroupAssignor(
            group=name,
            clients=[config.client for config in those],
            common=_common([config.assignors for config in those]),
            protocols=_protocols([config.protocol for config in those]),
            assignor=in_force.get(name, unseen),
        )
        for name, those in sorted(members.items())
        if len(those) > 1
    ]
    gaps = [Gap(f"which group client {member.client} is of is not known") for member in there if member.group is None]
    return Observed(rows=rows, gaps=gaps)


def _common(offers: Sequence[list[str] | None]) -> list[str] | None:
    known = [offer for offer in offers if offer is not None]
    shared = [name for name in known[0] if all(name in offer for offer in known)] if known else []
    return shared if len(known) == len(offers) or (known and not shared) else None


def _protocols(protocols: Sequence[str | None]) -> list[str] | None:
    known = sorted({protocol for protocol in protocols if protocol is not None})
    return known if None not in protocols else None

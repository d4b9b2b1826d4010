"""Of each ZooKeeper server that answers, whether others serve: who serves nobody while they do stands apart."""

from typing import Annotated

from runbook.model.fact import Fact, Observed
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View

_SERVE = ("leader", "follower")


class ZookeeperPeers(Row):
    """A server that answers, beside the others."""

    server: Annotated[str, Cell("Name in the inventory.", key=True, entity="server")]
    state: Annotated[str | None, Cell("leader, follower, observer or standalone; `idle` while it serves no clients.")]
    others_serve: Annotated[
        bool | None, Cell("Whether another leads or follows; unknown where none does and one of them does not say.")
    ]


VIEW = View(
    help="One row per ZooKeeper server that answers: whether others serve.",
    row=ZookeeperPeers,
    leaves_out="servers that do not answer",
    inputs={
        "server": Input("zookeeper_server", columns=("server", "answers", "state"), needs=("answers",)),
    },
)


def compute(*, server: Fact) -> Observed:
    """Compare zookeeper_server's rows: a server leads or follows only while a majority is there, and stops with it."""
    states = {row["server"]: row["state"] for row in server.rows("server", "answers", "state") if row["answers"]}
    return Observed(
        rows=[
            ZookeeperPeers(
                server=name, state=state, others_serve=_serves([states[other] for other in states if other != name])
            )
            for name, state in states.items()
        ],
        gaps=[*server.gaps],
    )


def _serves(states: list[str | None]) -> bool | None:
    return True if any(state in _SERVE for state in states) else None if None in states else False

"""Workers of Connect that are silent, told from a whole site that is."""

from typing import Annotated

from runbook.model.fact import Fact, Observed
from runbook.model.reach import dark
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View


class WorkerReach(Row):
    """A worker of Connect."""

    worker: Annotated[str, Cell("Name in the inventory.", key=True, entity="server")]
    id: Annotated[str | None, Cell("As in connect_worker.")]
    silent: Annotated[
        bool | None,
        Cell("Whether it does not answer; unknown where no broker beside it does: it may be the way to that site."),
    ]
    connectors: Annotated[int | None, Cell("As in connect_worker.", unit="connectors")]
    tasks: Annotated[int | None, Cell("As in connect_worker.", unit="tasks")]


VIEW = View(
    help="One row per worker that the inventory names, from connect_worker and kafka_cluster of the same environment.",
    row=WorkerReach,
    inputs={
        "worker": Input("connect_worker", columns=("worker", "id", "answers", "connectors", "tasks")),
        "cluster": Input("kafka_cluster", columns=("cluster_id",), tells=True),
    },
)


def compute(*, worker: Fact, cluster: Fact) -> Observed:
    """Pair workers with whether anything answers at their site: cut off from us is not dead."""
    alone = not dark(cluster)
    rows = [
        WorkerReach(
            worker=row["worker"],
            id=row["id"],
            silent=None if row["answers"] is None else False if row["answers"] else alone or None,
            connectors=row["connectors"],
            tasks=row["tasks"],
        )
        for row in worker.rows()
    ]
    return Observed(rows=rows, gaps=list(worker.gaps))

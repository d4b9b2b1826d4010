"""What the targets of brokers showed Prometheus of themselves: which node it is, and since when."""

from typing import Annotated

from runbook.answers import prometheus
from runbook.formats.metrics import Targets
from runbook.model.fact import Observed
from runbook.model.probe import Probe
from runbook.model.quantity import BrokerId
from runbook.model.row import Cell, Row


class PrometheusBrokerPage(Row):
    """A page of metrics that Prometheus scrapes as a broker's or controller's."""

    job: Annotated[str, Cell("The job of the target.", key=True)]
    instance: Annotated[str, Cell("The target's address, as host:port.", key=True)]
    node: Annotated[
        BrokerId | None,
        Cell("The node id that the page shows (kafka.server:type=app-info); -1 if none, or if it can't be scraped."),
    ]
    started_ms: Annotated[
        int | None, Cell("When Kafka started in that process, since 1970; -1 with a `node` of -1.", unit="ms")
    ]


PROBE = Probe(
    connections=("prometheus",),
    help="One row per target of Prometheus that the inventory's selector of brokers matches.",
    row=PrometheusBrokerPage,
    requests=(*prometheus.READS,),
    rights=("Prometheus: to query",),
)


def observe(server: Targets) -> Observed:
    """Observe what targets of brokers show."""
    answer = server.broker_pages()
    if isinstance(answer, str):
        return Observed(inapplicable=answer)
    pages, gaps = answer
    return Observed(
        rows=[
            PrometheusBrokerPage(
                job=page.job,
                instance=page.instance,
                node=None if page.node is None else BrokerId(page.node),
                started_ms=page.started_ms,
            )
            for page in pages
        ],
        gaps=list(gaps),
    )

"""What Prometheus scrapes: its targets, and whether the last scrape of each worked."""

from typing import Annotated

from runbook.answers import prometheus
from runbook.formats.metrics import Targets
from runbook.model.fact import Observed
from runbook.model.probe import Probe
from runbook.model.row import Cell, Row


class PrometheusTarget(Row):
    """A target of Prometheus."""

    job: Annotated[str, Cell("The job it belongs to.", key=True)]
    instance: Annotated[str, Cell("Its address, as host:port.", key=True)]
    up: Annotated[bool, Cell("Whether the last scrape worked.")]


PROBE = Probe(
    connections=("prometheus",),
    help="One row per target of Prometheus.",
    row=PrometheusTarget,
    requests=(*prometheus.READS,),
    rights=("Prometheus: to query",),
)


def observe(server: Targets) -> Observed:
    """Observe what a Prometheus server scrapes."""
    answer = server.targets()
    if isinstance(answer, str):
        return Observed(inapplicable=answer)
    targets, gaps = answer
    return Observed(
        rows=[PrometheusTarget(job=target.job, instance=target.instance, up=target.up) for target in targets],
        gaps=list(gaps),
    )

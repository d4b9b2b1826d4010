"""What Prometheus scrapes: its targets, and whether the last scrape of each worked."""

from runbook.connections import prometheus
from runbook.engine.column import Column
from runbook.engine.fact import Observed
from runbook.engine.probe import Probe
from runbook.formats.metrics import Targets

PROBE = Probe(
    connections=("prometheus",),
    help="One row per target of Prometheus.",
    columns=(
        Column("job", "string", "The job it belongs to.", key=True),
        Column("instance", "string", "Its address, as host:port.", key=True),
        Column("up", "bool", "Whether the last scrape worked."),
    ),
    requests=(*prometheus.READS,),
    rights=("Prometheus: to query",),
)


def observe(server: Targets) -> Observed:
    """Observe what a Prometheus server scrapes."""
    told = server.targets()
    if isinstance(told, str):
        return Observed(inapplicable=told)
    targets, gaps = told
    return Observed(rows=[(one.job, one.instance, one.up) for one in targets], gaps=list(gaps))

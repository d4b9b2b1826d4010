"""The plugins that each worker of Connect has: connectors, converters, transformations, config providers."""

from runbook.connections.connect import Connect
from runbook.connections.connect.questions import PLUGINS, RIGHT, read
from runbook.engine.column import Column
from runbook.engine.fact import Observed
from runbook.engine.probe import Probe

PROBE = Probe(
    connections=("connect",),
    help="One row per plugin, version and worker.",
    columns=(
        Column("worker", "string", "Name in the inventory.", key=True, entity="server"),
        Column("plugin", "string", "Its class.", key=True),
        Column("type", "string", "source, sink, converter, header_converter, transformation, predicate, …", key=True),
        Column("version", "string", "Its version; empty if it has none.", key=True),
    ),
    requests=(read(PLUGINS),),
    rights=(RIGHT,),
)


def observe(connect: Connect) -> Observed:
    """Observe the plugins; before Kafka 3.2, workers tell of connectors only."""
    told, gaps = connect.plugins()
    rows = [(worker, one.class_name, one.type, one.version) for worker, plugins in told.items() for one in plugins]
    return Observed(rows=rows, gaps=list(gaps))

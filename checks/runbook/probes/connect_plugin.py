"""The plugins that each worker of Connect has: connectors, converters, transformations, config providers."""

from typing import TYPE_CHECKING, Annotated

from runbook.answers.connect import PLUGINS, RIGHT, read
from runbook.model.fact import Observed
from runbook.model.probe import Probe
from runbook.model.row import Cell, Row

if TYPE_CHECKING:
    from runbook.connections.connect import Connect


class ConnectPlugin(Row):
    """A plugin that a worker has."""

    worker: Annotated[str, Cell("Name in the inventory.", key=True, entity="server")]
    plugin: Annotated[str, Cell("Its class.", key=True)]
    type: Annotated[str, Cell("source, sink, converter, header_converter, transformation, predicate, …", key=True)]
    version: Annotated[str, Cell("Its version; empty if it has none.", key=True)]


PROBE = Probe(
    connections=("connect",),
    help="One row per plugin, version and worker.",
    row=ConnectPlugin,
    requests=(read(PLUGINS),),
    rights=(RIGHT,),
)


def observe(connect: "Connect") -> Observed:
    """Observe the plugins; before Kafka 3.2, workers tell of connectors only."""
    by_worker, gaps = connect.plugins()
    rows = [
        ConnectPlugin(worker=worker, plugin=plugin.class_name, type=plugin.type, version=plugin.version)
        for worker, plugins in by_worker.items()
        for plugin in plugins
    ]
    return Observed(rows=rows, gaps=list(gaps))

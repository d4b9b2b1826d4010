"""Which workers of Connect have which plugin in which version."""

from typing import Annotated

from runbook.model.fact import Fact, Observed
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View


class PluginSpread(Row):
    """A plugin and version."""

    plugin: Annotated[str, Cell("Its class.", key=True)]
    type: Annotated[str, Cell("source, sink, converter, transformation and so on.", key=True)]
    version: Annotated[str, Cell("Its version; empty if it has none.", key=True)]
    workers: Annotated[list[str], Cell("Workers that have it.", entity="server")]
    lacking: Annotated[list[str], Cell("Workers that reported their plugins and lack it.", entity="server")]


VIEW = View(
    help="One row per plugin and version, with the workers that have it and those that do not.",
    row=PluginSpread,
    inputs={
        "plugin": Input("connect_plugin", columns=("worker", "plugin", "type", "version")),
    },
)


def compute(*, plugin: Fact) -> Observed:
    """Turn connect_plugin around."""
    owners: dict[tuple[str, str, str], list[str]] = {}
    workers: dict[str, None] = {}
    for row in plugin.rows():
        workers[row["worker"]] = None
        owners.setdefault((row["plugin"], row["type"], row["version"]), []).append(row["worker"])
    rows = [
        PluginSpread(
            plugin=name,
            type=kind,
            version=version,
            workers=have,
            lacking=[worker for worker in workers if worker not in have],
        )
        for (name, kind, version), have in owners.items()
    ]
    return Observed(rows=rows)

"""Which workers of Connect have which plugin in which version."""

from runbook.engine.column import Column
from runbook.engine.fact import Fact, Observed
from runbook.engine.view import View

VIEW = View(
    help="One row per plugin and version, with the workers that have it and those that do not.",
    columns=(
        Column("plugin", "string", "Its class.", key=True),
        Column("type", "string", "source, sink, converter, transformation and so on.", key=True),
        Column("version", "string", "Its version; empty if it has none.", key=True),
        Column("workers", "list[string]", "Workers that have it.", entity="server"),
        Column("lacking", "list[string]", "Workers that told their plugins and have it not.", entity="server"),
    ),
    of=(("worker", "plugin", "type", "version"),),
)


def compute(plugins: Fact, /) -> Observed:
    """Turn connect_plugin around."""
    owners: dict[tuple[str, str, str], list[str]] = {}
    workers: dict[str, None] = {}
    for row in plugins.rows():
        workers[row["worker"]] = None
        owners.setdefault((row["plugin"], row["type"], row["version"]), []).append(row["worker"])
    rows = [(*key, have, [one for one in workers if one not in have]) for key, have in owners.items()]
    return Observed(rows=rows)

"""Each connector of a source site beside the one of the same name at the target."""

from typing import Annotated

from runbook.model.fact import Fact, Gap, Observed
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View

_ASKED = ("connector", "plugin", "version", "state", "tasks_max")


class ConnectorTwin(Row):
    """A connector of the source's Connect."""

    connector: Annotated[str, Cell("Name.", key=True, entity="connector")]
    present: Annotated[bool | None, Cell("Whether the target has one of that name.")]
    source_plugin: Annotated[str, Cell("Its class at the source.")]
    plugin: Annotated[str | None, Cell("Its class at the target.")]
    source_version: Annotated[str | None, Cell("Version of that class at the source.")]
    version: Annotated[str | None, Cell("Version of that class at the target.")]
    source_state: Annotated[str, Cell("RUNNING, PAUSED, STOPPED, … at the source.")]
    state: Annotated[str | None, Cell("The same at the target.")]
    source_tasks_max: Annotated[int | None, Cell("tasks.max at the source.", unit="tasks")]
    tasks_max: Annotated[int | None, Cell("tasks.max at the target.", unit="tasks")]


VIEW = View(
    help="One row per connector of the source's Connect, apart from those of MirrorMaker.",
    row=ConnectorTwin,
    inputs={
        "source": Input("connect_connector", columns=_ASKED, at="source"),
        "target": Input("connect_connector", columns=_ASKED, at="target"),
    },
    version=2,
)

_MIRROR_MAKER = "org.apache.kafka.connect.mirror."


def compute(*, source: Fact, target: Fact) -> Observed:
    """Pair two connect_connector facts. One that is not seen is absent only if all of the target's were seen."""
    there = {row["connector"]: row for row in target.rows()}
    rows = []
    gaps = []
    for row in source.rows():
        if row["plugin"] is None:
            whose = row["connector"]
            gaps.append(Gap(f"whether {whose} is one of MirrorMaker's is not known", {"connector": whose}))
            continue
        if row["plugin"].startswith(_MIRROR_MAKER):
            continue
        twin = there.get(row["connector"])
        present = target.presence(found=twin)
        rows.append(
            ConnectorTwin(
                connector=row["connector"],
                present=present,
                source_plugin=row["plugin"],
                plugin=twin["plugin"] if twin else None,
                source_version=row["version"],
                version=twin["version"] if twin else None,
                source_state=row["state"],
                state=twin["state"] if twin else None,
                source_tasks_max=row["tasks_max"],
                tasks_max=twin["tasks_max"] if twin else None,
            )
        )
    return Observed(rows=rows, gaps=gaps)

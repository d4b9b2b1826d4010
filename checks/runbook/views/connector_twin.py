"""Each connector of a source site beside the one of the same name at the target."""

from runbook.engine.column import Column
from runbook.engine.fact import Fact, Gap, Observed
from runbook.engine.view import View

_ASKED = ("connector", "plugin", "version", "state", "tasks_max")

VIEW = View(
    help="One row per connector of the source's Connect, apart from those of MirrorMaker.",
    columns=(
        Column("connector", "string", "Name.", key=True, entity="connector"),
        Column("present", "bool", "Whether the target has one of that name."),
        Column("source_plugin", "string", "Its class at the source."),
        Column("plugin", "string", "Its class at the target."),
        Column("source_version", "string", "Version of that class at the source."),
        Column("version", "string", "Version of that class at the target."),
        Column("source_state", "string", "RUNNING, PAUSED, STOPPED, … at the source."),
        Column("state", "string", "The same at the target."),
        Column("source_tasks_max", "int", "tasks.max at the source.", unit="tasks"),
        Column("tasks_max", "int", "tasks.max at the target.", unit="tasks"),
    ),
    of=(_ASKED, _ASKED),
    version=2,
)

_MIRROR_MAKER = "org.apache.kafka.connect.mirror."


def compute(source: Fact, target: Fact, /) -> Observed:
    """Pair two connect_connector facts. One that is not seen is absent only if all of the target's were seen."""
    there = {row["connector"]: row for row in target.rows()}
    rows = []
    gaps = []
    for one in source.rows():
        if one["plugin"] is None:
            whose = one["connector"]
            gaps.append(Gap(f"whether {whose} is one of MirrorMaker's is not known", {"connector": whose}))
            continue
        if one["plugin"].startswith(_MIRROR_MAKER):
            continue
        twin = there.get(one["connector"])
        present = True if twin else False if target.complete else None
        pairs = ((one[column], twin[column] if twin else None) for column in _ASKED[1:])
        rows.append((one["connector"], present, *(cell for pair in pairs for cell in pair)))
    return Observed(rows=rows, gaps=gaps)

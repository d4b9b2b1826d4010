"""Where consumer groups of a source would go on at the target."""

from fnmatch import fnmatchcase
from typing import Any

from runbook.engine.column import Column
from runbook.engine.fact import Fact, Observed
from runbook.engine.parameter import Parameter
from runbook.engine.view import View
from runbook.views._mirrors import EXCLUDE, PREFIX, TOPICS, meant

_ASKED = ("group", "topic", "partition", "state", "committed", "begin", "end", "lag")

VIEW = View(
    help="One row per group and partition of a topic that is meant to be mirrored.",
    columns=(
        Column("group", "string", "Group id, the same at both.", key=True, entity="group"),
        Column("topic", "string", "Topic of the source.", key=True, entity="topic"),
        Column("partition", "int", "Number of the partition.", key=True, entity="partition"),
        Column("mirror", "string", "The name its mirror has or should have."),
        Column("present", "bool", "Whether the target has a position of that group in the mirror."),
        Column(
            "state", "string", "State of the group at the target: MirrorMaker moves positions of an empty one only."
        ),
        Column("source_committed", "int", "Offset that the group committed at the source."),
        Column("committed", "int", "Offset that is committed at the target: another number, as a rule."),
        Column("end", "int", "Offset that the mirror's next record will get."),
        Column("source_lag", "int", "Records that the group has not read at the source.", unit="records"),
        Column("lag", "int", "Records that it would still read at the target.", unit="records"),
        Column(
            "again",
            "int",
            "Records it would read there that it has read here, if the mirror is up to date; unknown if either lag is.",
            unit="records",
        ),
    ),
    of=(_ASKED, _ASKED),
    parameters={
        "prefix": PREFIX,
        "topics": TOPICS,
        "exclude": EXCLUDE,
        "groups": Parameter(type="list[string]", help="shell patterns of groups that are meant; none if not given"),
    },
)


def compute(
    source: Fact,
    target: Fact,
    /,
    *,
    prefix: str | None = None,
    topics: list[str] | None = None,
    exclude: list[str] | None = None,
    groups: list[str] | None = None,
) -> Observed:
    """Pair the commits of two kafka_group_offset facts.

    A position that is not seen is absent only if all of the target's were seen; otherwise it is not known.
    """
    wanted = meant(topics, exclude)
    there = {(row["group"], row["topic"], row["partition"]): row for row in target.rows()}
    rows: list[tuple[Any, ...]] = []
    for one in source.rows():
        if not wanted(one["topic"]) or not any(fnmatchcase(one["group"], pattern) for pattern in groups or []):
            continue
        name = (prefix or "") + one["topic"]
        found = there.get((one["group"], name, one["partition"]))
        present = True if found else False if target.complete else None
        state, committed, end, lag = (found[c] if found else None for c in ("state", "committed", "end", "lag"))
        again = None if lag is None or one["lag"] is None else max(0, lag - one["lag"])
        rows.append(
            (
                *(one["group"], one["topic"], one["partition"], name, present, state),
                *(one["committed"], committed, end, one["lag"], lag, again),
            )
        )
    return Observed(rows=rows)

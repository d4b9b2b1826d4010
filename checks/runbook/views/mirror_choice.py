"""What the filters of MirrorMaker take of a source's topics, and what they should."""

import re
from collections.abc import Sequence
from typing import Any

from runbook.engine.column import Column
from runbook.engine.fact import Fact, Gap, Observed
from runbook.engine.view import View
from runbook.views._mirrors import EXCLUDE, TOPICS, meant, state

VIEW = View(
    help="One row per flow and topic of the source, apart from Kafka's own.",
    columns=(
        Column("connector", "string", "The flow.", key=True, entity="connector"),
        Column("topic", "string", "Topic of the source.", key=True, entity="topic"),
        Column("meant", "bool", "Whether it is meant to be mirrored."),
        Column("taken", "bool", "Whether the filters in force take it, also if it was not there yet when they did."),
        Column("state", "string", "Whose state it is, such as changelog of Streams; empty if it is nobody's."),
        Column("returns", "bool", "Whether it is itself a mirror of the target's: taken, it would go round."),
    ),
    of=(
        ("connector", "kind", "target", "separator", "policy", "topics", "topics_exclude"),
        ("name", "internal"),
    ),
    parameters={"topics": TOPICS, "exclude": EXCLUDE},
)


def compute(
    connector: Fact,
    topic: Fact,
    /,
    *,
    topics: list[str] | None = None,
    exclude: list[str] | None = None,
) -> Observed:
    """Work it out from mirror_connector of the target and kafka_topic of the source.

    As MirrorMaker does: one of `topics` must fit the whole name and none of `topics.exclude`. A mirror of the
    target's own topics is never taken under the default policy, whatever the filters say (MirrorSourceConnector's
    isCycle); where names are kept nobody can tell one.
    """
    wanted = meant(topics, exclude)
    rows: list[tuple[Any, ...]] = []
    gaps: list[Gap] = []
    for flow in connector.rows():
        if flow["kind"] != "source":
            continue
        takes, misread = _takes(flow["topics"], flow["topics_exclude"])
        gaps += [Gap(f"{flow['connector']}: {reason}") for reason in misread]
        back = None if flow["target"] is None or flow["separator"] is None else flow["target"] + flow["separator"]
        for one in topic.rows():
            if one["internal"]:
                continue
            name = one["name"]
            returns = None if back is None else name.startswith(back)
            kept_out = returns and flow["policy"] == "default"
            taken = takes(name) and not kept_out if takes else None
            rows.append((flow["connector"], name, wanted(name), taken, state(name), returns))
    return Observed(rows=rows, gaps=gaps)


def _takes(topics: Sequence[str] | None, exclude: Sequence[str] | None) -> tuple[Any, list[str]]:
    """A function from a name to whether it is taken, None if that can't be told; and why it can't."""
    if topics is None or exclude is None:
        return None, ["its filters are not known"]
    try:
        take, leave = ([re.compile(pattern) for pattern in patterns] for patterns in (topics, exclude))
    except re.error as error:
        return None, [f"the filter {error.pattern!r} is not understood here: {error.msg}"]
    return lambda name: any(one.fullmatch(name) for one in take) and not any(one.fullmatch(name) for one in leave), []
